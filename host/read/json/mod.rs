//! JSON and JSON lines: what NetworkX, D3, Cytoscape, Sigma, graphology, vis.js, Neo4j, ArangoDB and APIs write.
//!
//! | a value | what it is |
//! | --- | --- |
//! | `{"nodes": […], "links": […]}`, or `edges` instead of `links`; also within `graph`, and `elements` of Cytoscape | a graph |
//! | `{"nodes": […], "adjacency": […]}` | a graph, with the neighbours of each node |
//! | `{"1": [2, 3], …}` | a graph, with the neighbours of each key |
//! | `{"source": 1, "target": 2}`, also `from` and `to`, `_from` and `_to`, `start` and `end`, and other names that tables have for the two ends | an edge |
//! | `{"type": "node", "id": 1}`, in an array `{"data": {"id": 1}}` | a vertex, as Neo4j writes it, and Cytoscape.js |
//! | `[1, 2]`, `[1, 2, 0.5]` | an edge, perhaps with a weight |
//! | `{"id": 1, "neighbors": [2, 3]}` | the edges of a vertex |
//!
//! A file has one value, or several one after the other, as JSON lines do, or an array of them. A value is looked at
//! where it stands, so that no copy of the file is made.

mod values;

use std::collections::HashSet;

use self::values::{JsonMembers, JsonValue, elements, first, is_list, is_object};
use super::format::About;
use super::input::{excerpt, text_start};
use super::listing::{EdgeListing, ListingFormat, ListingHead};
use super::{Format, end_names, recognise};
use crate::error::Place;
use crate::{Error, Message, Result};

/// The format. JSON beside a graph is what describes it, as a rule.
pub(super) static JSON: ListingFormat = {
    let listed = ListingFormat::of(Format::Json, Some(recognise::is_json), read);
    ListingFormat { about: About { is_graph_by_name: false, ..listed.about }, ..listed }
};

fn read(listing: &mut EdgeListing) -> Result<ListingHead> {
    let input = listing.input;
    let start = text_start(input.content());
    let mut file = JsonFile {
        listing,
        nodes: Vec::new(),
        are_numbered: false,
        by_place: false,
        is_undirected: false,
        called: "JSON",
    };
    for value in values::all(&input.content()[start..]) {
        file.top(value.map_err(|error| {
            let message =
                format!("this is no whole JSON ({error}): the file is cut off or damaged");
            input.malformed(Place::Line(error.line() as u64), message)
        })?)?;
    }
    let JsonFile { listing, is_undirected, called, .. } = file;
    if is_undirected {
        listing.set_directed(false);
    }
    Ok((called, None))
}

/// What an object calls the two ends of an edge.
const ENDS: [[&str; 2]; 6] = [
    ["source", "target"],
    ["from", "to"],
    ["src", "dst"],
    ["u", "v"],
    ["start", "end"],
    ["_from", "_to"],
];

/// What an object is called that has the edges of a graph, or its nodes.
const GRAPHS: [&str; 6] = ["links", "edges", "adjacency", "elements", "graph", "nodes"];

struct JsonFile<'l, 'a> {
    listing: &'l mut EdgeListing<'a>,
    /// The vertices of the list of them, and whether the id of one is a number.
    nodes: Vec<u32>,
    are_numbered: bool,
    /// Whether the ends of edges are places in that list.
    by_place: bool,
    /// Whether the file says that edges have no direction.
    is_undirected: bool,
    /// What the file is called in reports.
    called: &'static str,
}

const COLUMNS: &str = "these are columns of a table, or lists of objects that are no edges: write an object for each row, as pandas does \
                       with `frame.to_json(FILE, orient=\"records\")`, or a line for each edge";

/// Whether lists are no neighbours of their keys: they hold no key, and are objects alone, or columns of a table, which are as long as one
/// another and longer than there are keys.
fn are_columns(members: &JsonMembers) -> bool {
    let keys: HashSet<&str> = members.0.iter().map(|(key, _)| &**key).collect();
    let lists = || members.0.iter().map(|&(_, list)| elements(list));
    let rows = lists().next().map_or(0, |list| list.len());
    let is_table = keys.len() > 1 && rows > keys.len().max(2);
    let is_key = |value| values::id(value).is_some_and(|id| keys.contains(&*id));
    (is_table && lists().all(|list| list.len() == rows)
        || lists().flatten().next().is_some() && lists().flatten().all(is_object))
        && !lists().flatten().any(is_key)
}

/// The ends of an edge that is an object.
fn ends<'a>(members: &JsonMembers<'a>) -> Option<[JsonValue<'a>; 2]> {
    ENDS.iter().find_map(|[from, to]| Some([members.get(from)?, members.get(to)?]))
}

impl<'a> JsonFile<'_, 'a> {
    /// An error on the line of a value.
    fn fault(&self, value: JsonValue, message: impl Into<Message>) -> Error {
        self.listing.fault(self.place(value), message)
    }

    /// Where a value is, which is a part of the content.
    fn place(&self, value: JsonValue) -> usize {
        value.get().as_ptr().addr().saturating_sub(self.listing.input.content().as_ptr().addr())
    }

    /// A value that is not within another.
    fn top(&mut self, value: JsonValue<'a>) -> Result<()> {
        if first(value) != b'[' {
            return self.object(value, 0);
        }
        let elements = elements(value);
        let is_value = |element: &JsonValue| !is_list(element);
        // A line of several is a pair.
        let is_line = value.get().len() < self.listing.input.content().trim_ascii().len();
        match elements.first().is_some_and(is_value) && (is_line || elements.len() == 2) {
            true => self.pair(value),
            false => elements.into_iter().try_for_each(|element| self.item(element)),
        }
    }

    /// An element of an array: an edge, or a vertex with its neighbours.
    fn item(&mut self, value: JsonValue<'a>) -> Result<()> {
        if first(value) == b'[' { self.pair(value) } else { self.object(value, 1) }
    }

    /// An object that is a graph, an edge, or a vertex with its neighbours.
    fn object(&mut self, value: JsonValue<'a>, depth: u32) -> Result<()> {
        let members = JsonMembers::of(value);
        if self.edge(value, &members)? {
            return Ok(());
        }
        if let (Some(id), Some(neighbours)) = (members.get("id"), members.get("neighbors")) {
            let from = self.vertex(id)?;
            return self.neighbours(from, neighbours);
        }
        let has_id = |data| JsonMembers::of(data).get("id").is_some();
        if members.is("type", "\"node\"") || depth > 0 && members.get("data").is_some_and(has_id) {
            return self.node(value, 0).map(drop);
        }
        if depth < 3 && GRAPHS.iter().any(|name| members.get(name).is_some_and(is_list)) {
            return self.graph(&members, depth);
        }
        // Other names of the two ends, as tables have them. Letters may be anything.
        let keys: Vec<String> = members.0.iter().map(|(key, _)| key.to_string()).collect();
        let pairs = end_names::pairs(&keys);
        let ends = end_names::plainest(&pairs).map(|pair| pair.places);
        let is_end = |&at: &usize| keys[at].len() > 2 && values::id(members.0[at].1).is_some();
        if let Some(ends) = ends.filter(|ends| ends.iter().all(is_end)) {
            let [from, to] = ends.map(|at| members.0[at].1);
            let ends = [self.end(from)?, self.end(to)?];
            return self.add(ends, &members, value);
        }
        let are_lists = || members.0.iter().all(|(_, value)| first(value) == b'[');
        if depth > 0 || !is_object(value) || !are_lists() {
            let message = format!(
                "{} is no graph, no edge and no vertex with its neighbours: a graph has `nodes` and `links` or `edges`, an \
                 edge `source` and `target`, or is a line `[1, 2]`",
                excerpt(value.get().as_bytes())
            );
            return Err(self.fault(value, message));
        }
        if are_columns(&members) {
            return Err(self.fault(value, COLUMNS));
        }
        self.called = "JSON, the neighbours of each key";
        members.0.into_iter().try_for_each(|(key, neighbours)| {
            let from = self.listing.vertex(key.as_bytes(), self.place(neighbours))?;
            self.neighbours(from, neighbours)
        })
    }

    /// Takes an object as an edge if it has two ends, of its own or in `data`, as Cytoscape has them.
    fn edge(&mut self, value: JsonValue<'a>, members: &JsonMembers<'a>) -> Result<bool> {
        let data = members.get("data").map(JsonMembers::of);
        let found = ends(members).map(|ends| (members, ends));
        let found = found.or_else(|| data.as_ref().and_then(|data| Some((data, ends(data)?))));
        let Some((members, ends)) = found else { return Ok(false) };
        if ends.iter().all(|end| is_list(end) && values::id(end).is_none()) {
            return Err(self.fault(value, COLUMNS));
        }
        let ends = [self.end(ends[0])?, self.end(ends[1])?];
        self.add(ends, members, value)?;
        Ok(true)
    }

    /// Adds an edge of an object with these members.
    fn add(
        &mut self,
        ends: [u32; 2],
        members: &JsonMembers<'a>,
        value: JsonValue<'a>,
    ) -> Result<()> {
        let asked = self.listing.input.options.weight.as_deref();
        // graphology and Neo4j write what an edge has into an object of its own.
        let inside = || members.first_of(&["attributes", "properties"]).map(JsonMembers::of);
        let weight = asked.and_then(|asked| members.get(asked).or_else(|| inside()?.get(asked)));
        let weight = weight.map(|weight| weight.get().trim_matches('"').as_bytes());
        let is_directed = !members.is("directed", "false") && !members.is("undirected", "true");
        let at = self.place(value);
        self.listing.edge(ends, is_directed, weight, at)
    }

    /// An array of two ends, and perhaps a weight, or an object that has one.
    fn pair(&mut self, value: JsonValue<'a>) -> Result<()> {
        let is_weight = |value: JsonValue| b"{-0123456789".contains(&first(value));
        let (from, to, weight) = match elements(value)[..] {
            [from, to] => (from, to, None),
            [from, to, weight] if is_weight(weight) => (from, to, Some(weight)),
            _ => {
                let message = format!(
                    "{} is no edge: an edge is an array of two ids, and perhaps a weight",
                    excerpt(value.get().as_bytes())
                );
                return Err(self.fault(value, message));
            }
        };
        let ends = [self.end(from)?, self.end(to)?];
        let members = match weight {
            Some(weight) if !is_object(weight) => {
                JsonMembers(["weight", "3"].map(|name| (name.into(), weight)).into())
            }
            weight => JsonMembers::of(weight.unwrap_or(value)),
        };
        self.add(ends, &members, value)
    }

    /// The elements of an array of what is expected.
    fn list(&self, value: JsonValue<'a>, what: &str) -> Result<Vec<JsonValue<'a>>> {
        match first(value) {
            b'[' => Ok(elements(value)),
            _ => Err(self.fault(value, format!("a list of {what} is expected here"))),
        }
    }

    /// The neighbours of a vertex: ids, or objects that have one.
    fn neighbours(&mut self, from: u32, value: JsonValue<'a>) -> Result<()> {
        self.list(value, "neighbours")?.into_iter().try_for_each(|neighbour| {
            let to = self.vertex(neighbour)?;
            self.add([from, to], &JsonMembers::of(neighbour), neighbour)
        })
    }

    /// A graph: its vertices, then its edges.
    fn graph(&mut self, members: &JsonMembers<'a>, depth: u32) -> Result<()> {
        let options = members.get("options").map(JsonMembers::of);
        self.is_undirected |= members.is("directed", "false")
            || options.is_some_and(|options| options.is("type", "\"undirected\""));
        let nodes = members.get("nodes");
        nodes.map_or(Ok(()), |list| self.nodes(list))?;
        let known = self.listing.vertices();
        let mut has_edges = false;
        for edges in ["links", "edges"].iter().filter_map(|name| members.get(name)) {
            has_edges = true;
            let list = self.list(edges, "edges")?;
            self.by_place = self.are_places(edges)?;
            list.into_iter().try_for_each(|edge| self.item(edge))?;
            self.by_place = false;
        }
        if !self.nodes.is_empty() && self.listing.vertices() > known {
            self.listing.notes.push("some ends of edges are not among the nodes".into());
        }
        if let Some(adjacency) = members.get("adjacency") {
            let lists = self.list(adjacency, "the neighbours of each node")?;
            return lists.into_iter().enumerate().try_for_each(|(at, neighbours)| {
                let message = "this list of neighbours has no vertex among `nodes`";
                let from = *self.nodes.get(at).ok_or_else(|| self.fault(neighbours, message))?;
                self.neighbours(from, neighbours)
            });
        }
        // NetworkX writes attributes to the graph in a graph.
        match (nodes.filter(|_| !has_edges), members.first_of(&["elements", "graph"])) {
            (Some(nodes), _) => Err(self.fault(
                nodes,
                "there are nodes, and no list of edges is called `links`, `edges` or `adjacency`",
            )),
            (None, Some(graph)) if !has_edges && is_object(graph) => self.object(graph, depth + 1),
            (None, Some(inside)) if !has_edges => {
                elements(inside).into_iter().try_for_each(|element| self.item(element))
            }
            _ => Ok(()),
        }
    }

    /// The vertices of a graph, in an array, or in an object by their ids.
    fn nodes(&mut self, list: JsonValue<'a>) -> Result<()> {
        let by_key = JsonMembers::of(list).0.into_iter().map(|(key, node)| (Some(key), node));
        let by_id = elements(list).into_iter().map(|node| (None, node));
        for (key, node) in by_key.chain(by_id) {
            let before = self.listing.vertices();
            let found = match key {
                Some(key) => self.listing.vertex(key.as_bytes(), self.place(node))?,
                None => self.node(node, self.nodes.len())?,
            };
            if self.listing.vertices() == before {
                return Err(self.fault(node, "a second vertex has the id of one before it"));
            }
            self.nodes.push(found);
        }
        Ok(())
    }

    /// A vertex: its id, or an object that has one. One without an id is called by its place.
    fn node(&mut self, value: JsonValue<'a>, place: usize) -> Result<u32> {
        let mut members = JsonMembers::of(value);
        if let Some(data) = members.get("data").filter(|data| is_object(data)) {
            members = JsonMembers::of(data);
        }
        let id = match is_object(value) {
            true => members.first_of(&["id", "key", "name", "label"]),
            false => Some(value),
        };
        self.are_numbered |= id.is_none_or(|id| first(id) != b'"');
        let at = self.place(value);
        match id {
            Some(id) => self.vertex(id),
            None => self.listing.vertex(place.to_string().as_bytes(), at),
        }
    }

    /// Whether the ends of edges are places in the list of nodes, as in what D3 read up to version 3: they are numbers,
    /// and ids are none.
    fn are_places(&mut self, edges: JsonValue<'a>) -> Result<bool> {
        if self.nodes.is_empty() || self.are_numbered {
            return Ok(false);
        }
        let (mut numbers, mut known) = (0u64, false);
        let ends = elements(edges).into_iter().filter_map(|edge| ends(&JsonMembers::of(edge)));
        for end in ends.flatten() {
            if !first(end).is_ascii_digit() {
                return Ok(false);
            }
            numbers += 1;
            known |= self.listing.has(end.get().as_bytes());
        }
        if known {
            let message = "the ends of edges are numbers and the ids of nodes are texts of digits: whether they are ids or places in \
                           the list of nodes is not known, write both as numbers or both as texts";
            return Err(self.fault(edges, message));
        }
        Ok(numbers > 0)
    }

    /// The vertex at the end of an edge.
    fn end(&mut self, id: JsonValue<'a>) -> Result<u32> {
        if !self.by_place {
            return self.vertex(id);
        }
        let node = id.get().parse().ok().and_then(|place: usize| self.nodes.get(place));
        node.copied().ok_or_else(|| {
            let message =
                format!("{} is no place in the list of {} nodes", id.get(), self.nodes.len());
            self.fault(id, message)
        })
    }

    /// The vertex that an id is: a text, an integer, or an object that has one, as D3 makes of the ends of edges.
    fn vertex(&mut self, id: JsonValue<'a>) -> Result<u32> {
        let name = values::id(id).ok_or_else(|| {
            let found = excerpt(id.get().as_bytes());
            let why = "stands where an id is expected: ids are texts, or integers from 0 on";
            self.fault(id, format!("{found} {why}"))
        })?;
        let at = self.place(id);
        self.listing.vertex(name.as_bytes(), at)
    }
}
