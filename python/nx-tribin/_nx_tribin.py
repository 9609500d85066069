"""What NetworkX asks of a backend when it is imported. Nothing is imported here."""

_PAGE = "https://networkx.org/documentation/stable/reference/algorithms/generated/networkx.algorithms."

_ADDITIONAL = {
    "all_triangles": "Without `nbunch`.",
    "average_clustering": "Undirected and without `weight`.",
    "clustering": "Undirected and without `weight`.",
    "core_number": "Undirected.",
    "generalized_degree": "",
    "k_core": "Undirected.",
    "k_truss": "",
    "transitivity": "",
    "triangles": "",
}


def get_info() -> dict[str, object]:
    """Return what the backend is and does."""
    module = {"core_number": "core", "k_core": "core", "k_truss": "core"}
    return {
        "backend_name": "tribin",
        "project": "nx-tribin",
        "package": "nx_tribin",
        "short_summary": "Triangles, clustering, trusses and cores on all CPU cores or on a GPU.",
        "default_config": {"device": "auto", "min_edges": 500},
        "functions": {
            name: {
                "url": f"{_PAGE}{module.get(name, 'cluster')}.{name}.html",
                "additional_docs": additional,
                "additional_parameters": {},
            }
            for name, additional in _ADDITIONAL.items()
        },
    }
