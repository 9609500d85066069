"""What NetworkX asks of a backend when it is imported. Nothing is imported here."""

_PAGE = "https://networkx.org/documentation/stable/reference/algorithms/generated/networkx.algorithms."

#: What is said of each function beside its own documentation, by its module and name.
_ADDITIONAL = {
    "link_prediction.adamic_adar_index": "Without self-loops.",
    "cluster.all_triangles": "",
    "cluster.average_clustering": "",
    "assortativity.average_neighbor_degree": "Undirected, without `weight` and self-loops.",
    "cluster.clustering": "",
    "link_prediction.common_neighbor_centrality": "With `alpha=1`, and without self-loops.",
    "structuralholes.constraint": "Undirected, without `weight` and self-loops.",
    "core.core_number": "Undirected.",
    "structuralholes.effective_size": "Undirected, without `weight` and self-loops.",
    "clique.enumerate_all_cliques": "Of graphs whose core numbers are at most 11.",
    "cluster.generalized_degree": "",
    "link_prediction.jaccard_coefficient": "Without self-loops.",
    "core.k_core": "Undirected.",
    "core.k_corona": "Undirected.",
    "core.k_crust": "Undirected.",
    "core.k_shell": "Undirected.",
    "core.k_truss": "",
    "structuralholes.local_constraint": "Undirected, without `weight` and self-loops.",
    "core.onion_layers": "Undirected.",
    "reciprocity.overall_reciprocity": "",
    "reciprocity.reciprocity": "",
    "link_prediction.resource_allocation_index": "Without self-loops.",
    "bipartite.cluster.robins_alexander_clustering": "Undirected, without self-loops.",
    "cluster.square_clustering": "Undirected.",
    "cluster.transitivity": "",
    "triads.triadic_census": "Without `nodelist`.",
    "cluster.triangles": "",
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
            function.rpartition(".")[2]: {
                "url": f"{_PAGE}{function}.html",
                "additional_docs": additional,
                "additional_parameters": {},
            }
            for function, additional in _ADDITIONAL.items()
        },
    }
