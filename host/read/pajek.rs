//! Pajek's networks: what Pajek, NetworkX, igraph and Gephi write.
//!
//! Format: Batagelj, Mrvar, "Pajek: Program for Analysis and Visualization of Very Large Networks, Reference Manual".
//! Lines that begin with `*` begin a section, in letters of any case:
//!
//! | section | lines |
//! | --- | --- |
//! | `*Vertices n` | `number "label"`, and what a picture needs; vertices are called 1 to n |
//! | `*Edges`, `*Arcs` | two vertices and perhaps a weight, which is else 1; an arc leads from the first to the second |
//! | `*Edgeslist`, `*Arcslist` | a vertex and its neighbours |
//! | `*Matrix` | a row of values for each vertex: one that is not 0 is an arc with that weight |
//!
//! Other sections are left aside, and lines that begin with `%`.

use super::ids::MOST_VERTICES;
use super::input::{excerpt, lines_from, text_start, words};
use super::listing::{EdgeListing, ListingFormat, ListingHead};
use super::names::NO_TEXT;
use super::number::whole;
use super::{Format, recognise, weights};
use crate::Result;

/// The format.
pub(super) static PAJEK: ListingFormat = ListingFormat::of(Format::Pajek, Some(begins), read);

fn begins(head: &[u8]) -> bool {
    recognise::begins_with_any(head, &["*vertices", "*network", "*arcs", "*edges"])
}

fn read(listing: &mut EdgeListing) -> Result<ListingHead> {
    let input = listing.input;
    weights::check_name(input, "value")?;
    let mut network = Network { listing, vertices: None, row: 0, at: 0 };
    let mut section = Section::Other;
    let text = input.content();
    for (at, line) in lines_from(text, text_start(text)) {
        network.at = at;
        match line.first() {
            None | Some(b'%') => {}
            Some(b'*') => section = network.begin(section, line)?,
            Some(_) => network.line(section, line)?,
        }
    }
    match (network.vertices, section) {
        (Some(_), Section::Other) if network.row == 0 => {
            Err(input.at_line_of(network.at, NO_EDGES))
        }
        (Some(vertices), _) => Ok(("Pajek", Some(vertices))),
        (None, _) => Err(input.at_line_of(0, NO_VERTICES)),
    }
}

const NO_EDGES: &str = "the section that ends here is left aside, and no other has edges: they are read from `*Edges`, `*Arcs`, `*Edgeslist`, \
                        `*Arcslist` and `*Matrix`";

const NO_VERTICES: &str =
    "there is no line `*Vertices n` before the edges, which says how many vertices there are";

/// What the lines below a line with an asterisk are.
#[derive(Clone, Copy)]
enum Section {
    Vertices,
    Pairs {
        are_directed: bool,
    },
    Lists {
        are_directed: bool,
    },
    Matrix,
    /// A value for each vertex, which may have their own `*Vertices`.
    Values,
    Other,
}

struct Network<'l, 'a> {
    listing: &'l mut EdgeListing<'a>,
    vertices: Option<u64>,
    /// The row of the matrix that comes next; 0 before the first section of edges.
    row: u64,
    /// Where the line begins.
    at: usize,
}

impl Network<'_, '_> {
    /// Begins a section behind another.
    fn begin(&mut self, before: Section, line: &[u8]) -> Result<Section> {
        let mut words = words(line);
        let name = words.next().unwrap_or_default().to_ascii_lowercase();
        let section = match &name[..] {
            b"*partition" | b"*vector" | b"*permutation" | b"*cluster" => {
                return Ok(Section::Values);
            }
            // A file of a project has a value for each vertex behind its networks.
            b"*vertices" if matches!(before, Section::Values) => return Ok(Section::Values),
            b"*vertices" => Section::Vertices,
            b"*edges" => Section::Pairs { are_directed: false },
            b"*arcs" => Section::Pairs { are_directed: true },
            b"*edgeslist" => Section::Lists { are_directed: false },
            b"*arcslist" => Section::Lists { are_directed: true },
            b"*matrix" => Section::Matrix,
            _ => return Ok(Section::Other),
        };
        if !matches!(section, Section::Vertices) {
            self.row = 1;
            return match self.vertices {
                Some(_) => Ok(section),
                None => Err(self.listing.fault(self.at, NO_VERTICES)),
            };
        }
        if self.vertices.is_some() {
            let message = "a second network begins here: write each to a file of its own";
            return Err(self.listing.fault(self.at, message));
        }
        let vertices = words.next().and_then(whole).filter(|&n| n <= MOST_VERTICES);
        let Some(vertices) = vertices else {
            let message = format!(
                "{} says no number of vertices: `*Vertices n` is expected, with n up to {MOST_VERTICES} (2^32-2)",
                excerpt(line)
            );
            return Err(self.listing.fault(self.at, message));
        };
        if let Some(first) = words.next().and_then(whole).filter(|&first| first != vertices) {
            let message = format!(
                "the network is bipartite (two-mode): {first} of its {vertices} vertices are of one kind and the others \
                 of another, and it has no triangles; write the graph that is meant, for example its projection"
            );
            return Err(self.listing.fault(self.at, message));
        }
        self.vertices = Some(vertices);
        Ok(section)
    }

    fn line(&mut self, section: Section, line: &[u8]) -> Result<()> {
        let mut words = words(line);
        match section {
            Section::Values | Section::Other => {}
            Section::Vertices => {
                let vertex = self.vertex(words.next())?;
                let end = line.iter().position(u8::is_ascii_whitespace).unwrap_or(line.len());
                let rest = line[end..].trim_ascii_start();
                let label = match rest.strip_prefix(b"\"") {
                    Some(quoted) => quoted.split(|&byte| byte == b'"').next(),
                    None => words.next(),
                };
                let Some(label) = label else { return Ok(()) };
                let label =
                    std::str::from_utf8(label).map_err(|_| self.listing.fault(self.at, NO_TEXT))?;
                self.listing.label(vertex, label.into(), self.at)?;
            }
            Section::Pairs { are_directed } => {
                let ends = [self.vertex(words.next())?, self.vertex(words.next())?];
                let weight = words.next().unwrap_or(b"1");
                self.listing.edge(ends, are_directed, Some(weight), self.at)?;
            }
            Section::Lists { are_directed } => {
                let from = self.vertex(words.next())?;
                for word in words {
                    let to = self.vertex(Some(word))?;
                    self.listing.edge([from, to], are_directed, Some(b"1"), self.at)?;
                }
            }
            Section::Matrix => {
                let from = self.vertex(Some(self.row.to_string().as_bytes()))?;
                let mut columns = 0;
                for word in words {
                    columns += 1;
                    if weights::number(word)
                        .map_err(|message| self.listing.fault(self.at, message))?
                        != 0.0
                    {
                        let to = self.vertex(Some(columns.to_string().as_bytes()))?;
                        self.listing.edge([from, to], true, Some(word), self.at)?;
                    }
                }
                if Some(columns) != self.vertices {
                    let message = format!(
                        "the row of vertex {} has {columns} values, and each row has one for every vertex",
                        self.row
                    );
                    return Err(self.listing.fault(self.at, message));
                }
                self.row += 1;
            }
        }
        Ok(())
    }

    /// The vertex of this number.
    fn vertex(&mut self, word: Option<&[u8]>) -> Result<u32> {
        let word = word.unwrap_or_default();
        let vertices = self.vertices.unwrap_or(0);
        match whole(word).filter(|id| (1..=vertices).contains(id)) {
            Some(id) => self.listing.vertex(id.to_string().as_bytes(), self.at),
            None => {
                let message = format!(
                    "{} is no vertex: `*Vertices` allows the numbers 1 to {vertices}",
                    excerpt(word)
                );
                Err(self.listing.fault(self.at, message))
            }
        }
    }
}
