"""What NetworkX asks of a backend when it is imported. Nothing is imported here."""

_PAGE = "https://networkx.org/documentation/stable/reference/algorithms/generated/networkx.algorithms."

_ADDITIONAL = {
    "adamic_adar_index": "Without self-loops.",
    "all_triangles": "",
    "average_clustering": "",
    "average_neighbor_degree": "Undirected, without `weight` and self-loops.",
    "clustering": "",
    "common_neighbor_centrality": "With `alpha=1`, and without self-loops.",
    "constraint": "Undirected, without `weight` and self-loops.",
    "core_number": "Undirected.",
    "effective_size": "Undirected, without `weight` and self-loops.",
    "generalized_degree": "",
    "jaccard_coefficient": "Without self-loops.",
    "k_core": "Undirected.",
    "k_corona": "Undirected.",
    "k_crust": "Undirected.",
    "k_shell": "Undirected.",
    "k_truss": "",
    "overall_reciprocity": "",
    "reciprocity": "",
    "resource_allocation_index": "Without self-loops.",
    "robins_alexander_clustering": "Undirected, without self-loops.",
    "square_clustering": "Undirected.",
    "transitivity": "",
    "triadic_census": "Without `nodelist`.",
    "triangles": "",
}

#: The modules of functions that are not in `cluster`.
_MODULES = {
    "adamic_adar_index": "link_prediction",
    "jaccard_coefficient": "link_prediction",
    "resource_allocation_index": "link_prediction",
    "common_neighbor_centrality": "link_prediction",
    "average_neighbor_degree": "assortativity",
    "constraint": "structuralholes",
    "core_number": "core",
    "effective_size": "structuralholes",
    "k_core": "core",
    "k_corona": "core",
    "k_crust": "core",
    "k_shell": "core",
    "k_truss": "core",
    "overall_reciprocity": "reciprocity",
    "reciprocity": "reciprocity",
    "robins_alexander_clustering": "bipartite.cluster",
    "triadic_census": "triads",
}


def get_info() -> dict[str, object]:
    """Return what the backend is and does."""
    return {
        "backend_name": "tribin",
        "project": "nx-tribin",
        "package": "nx_tribin",
        "short_summary": "Triangles, clustering, triads, trusses and cores on all CPU cores or on a GPU.",
        "default_config": {"device": "auto", "min_edges": 500},
        "functions": {
            name: {
                "url": f"{_PAGE}{_MODULES.get(name, 'cluster')}.{name}.html",
                "additional_docs": additional,
                "additional_parameters": {},
            }
            for name, additional in _ADDITIONAL.items()
        },
    }
