//! GraphML: what yEd, Gephi, NetworkX, igraph and Neo4j write.
//!
//! Format: Brandes, Eiglsperger, Herman, Himsolt, Marshall, "GraphML Progress Report", 2001, and its schema 1.0. Nodes
//! are called by their `id`. The nodes and edges of graphs within nodes belong to the graph, and ports say nothing of
//! triangles. A weight is an edge's `data`, whose key has the name that was asked for.

use std::borrow::Cow;

use quick_xml::events::{BytesStart, Event};
use quick_xml::{XmlVersion, reader};

use super::input::{excerpt, text_start};
use super::listing::{EdgeListing, ListingFormat, ListingHead};
use super::{Format, recognise};
use crate::{Error, Message, Result};

/// The format.
pub(super) static GRAPHML: ListingFormat =
    ListingFormat::of(Format::GraphMl, Some(recognise::is_graphml), read);

fn read(listing: &mut EdgeListing) -> Result<ListingHead> {
    let input = listing.input;
    let start = text_start(input.content());
    let text = std::str::from_utf8(&input.content()[start..]).map_err(|error| {
        let message =
            "the file is no UTF-8 text: convert it, for example with `iconv -f latin1 -t utf-8`";
        input.at_line_of(start + error.valid_up_to(), message)
    })?;
    let mut xml = reader::Reader::from_str(text);
    xml.config_mut().expand_empty_elements = true;
    let mut file = GraphmlFile {
        listing,
        at: start,
        keys: Vec::new(),
        is_key_open: false,
        default: None,
        directed: Vec::new(),
        edge: None,
        text: None,
    };
    loop {
        file.at = start + xml.buffer_position() as usize;
        let event = xml.read_event().map_err(|error| {
            let at = start + xml.error_position() as usize;
            let message = Message::from("this is no whole XML: the file is cut off or damaged");
            input.at_line_of(at, message.with_source(error))
        })?;
        match event {
            Event::Start(element) => file.begin(&element)?,
            Event::End(element) => file.end(element.local_name().into_inner())?,
            Event::Text(text) => file.text(&text.xml10_content()),
            Event::CData(text) => file.text(&text.xml10_content()),
            Event::Eof => break,
            _ => {}
        }
    }
    if !file.listing.has_graph || !file.directed.is_empty() {
        let message = "the file ends without a whole element `graph`: it is cut off, or no GraphML";
        return Err(input.at_line_of(input.content().len(), message));
    }
    Ok(("GraphML", None))
}

/// A file, and where in it the reader is.
struct GraphmlFile<'l, 'a> {
    listing: &'l mut EdgeListing<'a>,
    /// Where the element begins.
    at: usize,
    /// The keys of the weights, whether the element of one is open, and the weight of edges without one. NetworkX writes a key
    /// for each type of number, all with the same name.
    keys: Vec<String>,
    is_key_open: bool,
    default: Option<String>,
    /// Whether edges have a direction by default, in each graph that is open.
    directed: Vec<bool>,
    edge: Option<GraphmlEdge>,
    /// The text of the element that is open, where it is a weight, and whether it is that of edges without one.
    text: Option<(String, bool)>,
}

/// An edge that is open.
struct GraphmlEdge {
    ends: [u32; 2],
    is_directed: bool,
    weight: Option<String>,
    at: usize,
}

impl GraphmlFile<'_, '_> {
    fn fault(&self, message: impl Into<Message>) -> Error {
        self.listing.fault(self.at, message)
    }

    /// The value of an element's attribute.
    fn attribute<'e>(&self, element: &'e BytesStart, name: &str) -> Result<Option<Cow<'e, str>>> {
        let damaged = || self.fault("an attribute of this element is damaged");
        let mut attributes = element.attributes();
        let found = attributes
            .find(|found| found.as_ref().map_or(true, |found| found.key.into_inner() == name));
        let found = found.transpose().map_err(|_| damaged())?;
        let value = found.map(|found| found.normalized_value(XmlVersion::Implicit1_0));
        value.transpose().map_err(|_| damaged())
    }

    fn needed<'e>(&self, element: &'e BytesStart, name: &str) -> Result<Cow<'e, str>> {
        let missing = || {
            let element = excerpt(element.local_name().into_inner().as_bytes());
            self.fault(format!("the element {element} has no attribute `{name}`"))
        };
        self.attribute(element, name)?.ok_or_else(missing)
    }

    fn begin(&mut self, element: &BytesStart) -> Result<()> {
        match element.local_name().into_inner() {
            "key" => {
                let of = self.attribute(element, "for")?;
                let is_of_edges = of.is_none_or(|of| of == "edge" || of == "all");
                let id = self.needed(element, "id")?;
                let name = self.attribute(element, "attr.name")?.unwrap_or_else(|| id.clone());
                if is_of_edges && self.listing.input.options.weight.as_deref() == Some(&name) {
                    self.keys.push(id.into_owned());
                    self.is_key_open = true;
                }
            }
            "default" if self.is_key_open => self.text = Some((String::new(), true)),
            "graph" => {
                let direction = self.attribute(element, "edgedefault")?;
                let is_directed = direction.is_some_and(|direction| direction == "directed");
                if self.directed.is_empty() {
                    self.listing.begin_graph(self.at)?;
                }
                self.directed.push(is_directed);
            }
            "node" => {
                let id = self.needed(element, "id")?;
                self.listing.vertex(id.as_bytes(), self.at)?;
            }
            "hyperedge" => {
                let message = "a hyperedge joins any number of vertices, and triangles are of edges that join two: write the pairs \
                               that are meant as edges";
                return Err(self.fault(message));
            }
            "edge" => {
                let (from, to) = (self.needed(element, "source")?, self.needed(element, "target")?);
                let ends = [
                    self.listing.vertex(from.as_bytes(), self.at)?,
                    self.listing.vertex(to.as_bytes(), self.at)?,
                ];
                let by_default = self.directed.last().copied().unwrap_or(false);
                let directed = self.attribute(element, "directed")?;
                let is_directed = directed.map_or(by_default, |it| it == "true" || it == "1");
                self.edge = Some(GraphmlEdge { ends, is_directed, weight: None, at: self.at });
            }
            "data" if self.edge.is_some() && !self.keys.is_empty() => {
                let key = self.needed(element, "key")?;
                if self.keys.iter().any(|of_weights| *of_weights == key) {
                    self.text = Some((String::new(), false));
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn text(&mut self, more: &str) {
        if let Some((text, _)) = &mut self.text {
            text.push_str(more);
        }
    }

    fn end(&mut self, element: &str) -> Result<()> {
        match element {
            "key" => self.is_key_open = false,
            "graph" => drop(self.directed.pop()),
            "edge" => {
                if let Some(GraphmlEdge { ends, is_directed, weight, at }) = self.edge.take() {
                    let weight = weight.as_ref().or(self.default.as_ref());
                    let weight = weight.map(|weight| weight.trim().as_bytes());
                    self.listing.edge(ends, is_directed, weight, at)?;
                }
            }
            "data" | "default" => match (self.text.take(), &mut self.edge) {
                (Some((text, true)), _) => self.default = Some(text),
                (Some((text, false)), Some(edge)) => edge.weight = Some(text),
                _ => {}
            },
            _ => {}
        }
        Ok(())
    }
}
