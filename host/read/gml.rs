//! GML, the Graph Modelling Language: what Gephi, igraph, NetworkX and Cytoscape write, and polblogs comes in.
//!
//! Format: Himsolt, "GML: A portable Graph File Format", 1997. A file is a list of keys with values: numbers, texts
//! between quotes, or lists between brackets. Keys that say nothing of vertices and edges are left aside, and lines
//! that begin with `#`.

use super::input::{ends_line, excerpt, next_line, text_start};
use super::listing::{EdgeListing, ListingFormat, ListingHead};
use super::names::NO_TEXT;
use super::open_file::OpenFile;
use super::{Format, recognise};
use crate::{Error, Result};

/// The format.
pub(super) static GML: ListingFormat = ListingFormat::of(Format::Gml, Some(begins), read);

fn begins(head: &[u8]) -> bool {
    recognise::is_graph(head, &["graph", "creator", "comment", "version"], '[')
}

fn read(listing: &mut EdgeListing) -> Result<ListingHead> {
    let at = text_start(listing.input.content());
    let mut tokens = Tokens { input: listing.input, at, begin: at, depth: 0 };
    while let Some(key) = tokens.key()? {
        match (is(key, "graph"), tokens.value()?) {
            (true, GmlValue::List) => {
                listing.begin_graph(tokens.begin)?;
                graph(&mut tokens, listing)?;
            }
            (_, GmlValue::List) => tokens.skip_list()?,
            _ => {}
        }
    }
    match listing.has_graph {
        true => Ok(("GML", None)),
        false => Err(tokens.fault(
            "the file has no `graph [`: GML has its vertices and edges between its brackets",
        )),
    }
}

fn is(key: &[u8], name: &str) -> bool {
    key.eq_ignore_ascii_case(name.as_bytes())
}

/// Reads what is in the brackets of a graph.
fn graph(tokens: &mut Tokens, listing: &mut EdgeListing) -> Result<()> {
    let mut is_directed = false;
    while let Some(key) = tokens.key()? {
        match tokens.value()? {
            GmlValue::List if is(key, "node") => node(tokens, listing)?,
            GmlValue::List if is(key, "edge") => edge(tokens, listing)?,
            GmlValue::List => tokens.skip_list()?,
            GmlValue::Text(value) if is(key, "directed") => is_directed = value == b"1",
            _ => {}
        }
    }
    listing.set_directed(is_directed);
    Ok(())
}

fn node(tokens: &mut Tokens, listing: &mut EdgeListing) -> Result<()> {
    let (at, mut id, mut label) = (tokens.begin, None, None);
    tokens.each_text(|key, text, at| {
        if is(key, "id") {
            id = Some((text, at));
        } else if is(key, "label") {
            label = Some((text, at));
        }
        Ok(())
    })?;
    let (id, place) = id.ok_or_else(|| listing.fault(at, "the node has no `id`"))?;
    let vertex = listing.vertex(id, place)?;
    let Some((label, at)) = label else { return Ok(()) };
    let label = unescaped(label).ok_or_else(|| listing.fault(at, NO_TEXT))?;
    listing.label(vertex, label, place)
}

fn edge(tokens: &mut Tokens, listing: &mut EdgeListing) -> Result<()> {
    let (at, mut ends, mut weight) = (tokens.begin, [None; 2], None);
    tokens.each_text(|key, text, at| {
        if let Some(end) = ["source", "target"].iter().position(|name| is(key, name)) {
            ends[end] = Some(listing.vertex(text, at)?);
        }
        if listing.input.options.weight.as_deref().is_some_and(|asked| asked.as_bytes() == key) {
            weight = Some(text);
        }
        Ok(())
    })?;
    let [Some(from), Some(to)] = ends else {
        return Err(listing.fault(at, "the edge has no `source` or no `target`"));
    };
    listing.edge([from, to], false, weight, at)
}

/// A text with `&quot;` and its like as the characters that they stand for; `None` of what is no UTF-8.
fn unescaped(text: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(text).ok()?;
    // What is none of XML's stands as it is.
    #[cfg(feature = "formats")]
    let text = quick_xml::escape::unescape(text).unwrap_or(text.into());
    Some(text.into())
}

/// A value. Behind a list's bracket its keys follow.
enum GmlValue<'a> {
    /// A number, or a text without its quotes.
    Text(&'a [u8]),
    List,
}

/// The words of a text.
struct Tokens<'a> {
    input: &'a OpenFile<'a>,
    at: usize,
    /// Where the last one begins.
    begin: usize,
    /// How many brackets are open.
    depth: usize,
}

const CUT_OFF: &str = "the file ends within brackets: it is cut off, fetch or write it again";

impl<'a> Tokens<'a> {
    /// An error on the line of the last word.
    fn fault(&self, message: impl Into<crate::Message>) -> Error {
        self.input.at_line_of(self.begin, message)
    }

    /// The next word: a bracket, a text with its quotes, or what stands between blanks. None at the end.
    fn next(&mut self) -> Result<Option<&'a [u8]>> {
        let text = self.input.content();
        let mut begins_line = self.at == text_start(text);
        while let Some(&byte) = text.get(self.at) {
            match byte {
                b'#' if begins_line => self.at = next_line(text, self.at),
                byte if byte.is_ascii_whitespace() => {
                    begins_line |= ends_line(byte);
                    self.at += 1;
                }
                _ => break,
            }
        }
        self.begin = self.at;
        let rest = &text[self.at..];
        let len = match rest.first() {
            None => return Ok(None),
            Some(b'[' | b']') => 1,
            Some(b'"') => match memchr::memchr(b'"', &rest[1..]) {
                Some(end) => end + 2,
                None => return Err(self.fault("a quote is opened here and not closed")),
            },
            Some(_) => {
                let ends = |byte: &u8| byte.is_ascii_whitespace() || b"[]\"".contains(byte);
                rest.iter().position(ends).unwrap_or(rest.len())
            }
        };
        self.at += len;
        Ok(Some(&rest[..len]))
    }

    /// The next key of a list; `None` where the list ends, or the file.
    fn key(&mut self) -> Result<Option<&'a [u8]>> {
        match self.next()? {
            None if self.depth > 0 => Err(self.fault(CUT_OFF)),
            None => Ok(None),
            Some(b"]") if self.depth > 0 => {
                self.depth -= 1;
                Ok(None)
            }
            Some(key) if key[0].is_ascii_alphabetic() || key[0] == b'_' => Ok(Some(key)),
            Some(other) => Err(self.fault(format!(
                "{} stands where a key is expected, as in `node [ id 1 ]`",
                excerpt(other)
            ))),
        }
    }

    fn value(&mut self) -> Result<GmlValue<'a>> {
        match self.next()? {
            Some(b"[") => {
                self.depth += 1;
                Ok(GmlValue::List)
            }
            None | Some(b"]") => Err(self.fault("a key has no value: the file is damaged")),
            Some([b'"', text @ .., b'"'] | text) => Ok(GmlValue::Text(text)),
        }
    }

    /// Calls `found` with each key of a list, its text or number, and where that is. Lists within are left aside.
    fn each_text(
        &mut self,
        mut found: impl FnMut(&'a [u8], &'a [u8], usize) -> Result<()>,
    ) -> Result<()> {
        while let Some(key) = self.key()? {
            match self.value()? {
                GmlValue::List => self.skip_list()?,
                GmlValue::Text(text) => found(key, text, self.begin)?,
            }
        }
        Ok(())
    }

    /// Goes behind the bracket that closes a list.
    fn skip_list(&mut self) -> Result<()> {
        let outside = self.depth - 1;
        while self.depth > outside {
            match self.next()? {
                None => return Err(self.fault(CUT_OFF)),
                Some(b"[") => self.depth += 1,
                Some(b"]") => self.depth -= 1,
                Some(_) => {}
            }
        }
        Ok(())
    }
}
