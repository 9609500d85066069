//! The question that is asked of a graph.

/// The kind of result that is to be found of a graph. Device, memory and preparation follow from it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Task {
    /// Any results: nobody knows yet, and a few are expected.
    #[default]
    Any,
    /// The prepared graph alone.
    Preparation,
    /// The number of triangles.
    Count,
    /// The figures of the whole graph.
    Stats,
    /// The triangles at every vertex.
    AtVertices,
    /// The triangles on every edge.
    OnEdges,
    /// Every triangle.
    List,
    /// The trusses.
    Trusses,
    /// The core number of every vertex, with its triangles or without.
    Cores,
    /// The triangles by the directions of their edges.
    ByDirection,
    /// Sums over triangles of the products of three numbers on their edges, as weights make them.
    Products,
    /// The number of cliques of more than two vertices.
    Cliques,
    /// Cliques of more than two vertices at every vertex, or every one.
    CliquesAtVertices,
    /// Cliques of more than two vertices on every edge.
    CliquesOnEdges,
    /// Connected motifs of three and four vertices.
    Motifs,
    /// The four-cycles at every vertex, with its triangles or without.
    FourCycles,
    /// Pairs of vertices that share a neighbour.
    Similar,
    /// Estimates of triangles and clustering, for which the CPU draws wedges.
    Estimate,
}

impl Task {
    /// The name of the results in messages.
    pub fn name(self) -> &'static str {
        match self {
            Task::Any | Task::Preparation => "results",
            Task::Count | Task::List => "triangles",
            Task::Stats => "figures of the graph",
            Task::AtVertices => "triangles at vertices",
            Task::OnEdges => "triangles on edges",
            Task::Trusses => "trusses",
            Task::Cores => "core numbers",
            Task::ByDirection => "results with directions",
            Task::Products => "results with weights",
            Task::Cliques => "cliques",
            Task::CliquesAtVertices => "cliques at vertices",
            Task::CliquesOnEdges => "cliques on edges",
            Task::Motifs => "motifs",
            Task::FourCycles => "four-cycles at vertices",
            Task::Similar => "similar pairs",
            Task::Estimate => "estimates",
        }
    }

    /// Whether a result names vertices, so that the vertex of each rank is kept: 4 bytes a vertex.
    pub fn names_vertices(self) -> bool {
        self != Task::Count
    }

    /// Whether vertices are told by what a file calls them.
    pub fn tells_ids(self) -> bool {
        let of_vertices = matches!(self, Task::AtVertices | Task::Cores);
        let of_cliques = matches!(self, Task::Cliques | Task::CliquesAtVertices);
        of_vertices || of_cliques || matches!(self, Task::OnEdges | Task::List | Task::Trusses)
    }

    /// Whether this is found in a graph whose edges are in scratch files.
    pub fn is_found_out_of_core(self) -> bool {
        match self {
            Task::Products | Task::CliquesOnEdges | Task::Motifs => false,
            Task::FourCycles | Task::Similar => false,
            Task::Any | Task::Preparation | Task::Count | Task::Stats | Task::Estimate => true,
            Task::AtVertices | Task::Cores | Task::OnEdges | Task::List | Task::Trusses => true,
            Task::ByDirection | Task::Cliques | Task::CliquesAtVertices => true,
        }
    }

    /// Whether a GPU leaves this to the CPU in every graph.
    pub fn is_left_to_cpu(self) -> bool {
        matches!(self, Task::CliquesAtVertices | Task::CliquesOnEdges)
    }
}
