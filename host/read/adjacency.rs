//! Adjacency lists: a vertex and its neighbours a line, as `networkx.write_adjlist` writes them.
//!
//! Every neighbour is an entry. NetworkX lists an edge once, others list it at both ends, where the second is a
//! duplicate. A vertex without neighbours of its own is one all the same. Ids are integers, or names if most at the
//! beginning are no integers.

use super::IdKind;
use super::format::{About, Format};
use super::input::{ends_line, excerpt, is_blank, next_line, text_start};
use super::listing::{EdgeListing, ListingFormat, ListingHead};
use super::number::whole;
use super::table::{BRACKETS, encoding, has_brackets};
use crate::{Error, Message, Result, hint};

/// The format: its extension alone tells it.
pub(super) static ADJACENCY: ListingFormat = {
    let listed = ListingFormat::of(Format::Adjacency, None, read);
    ListingFormat { about: About { has_weights: false, ..listed.about }, ..listed }
};

fn read(listing: &mut EdgeListing) -> Result<ListingHead> {
    let input = listing.input;
    let text = input.content;
    let start = text_start(text);
    let head = &text[start..text.len().min(start + (1 << 18))];
    if let Some((at, message)) = encoding::check(head, None, listing.ids == IdKind::Names) {
        return Err(input.at_line_of(start + at, message));
    }
    let ids = match listing.ids {
        IdKind::Auto if has_names(&text[start..]) => IdKind::Names,
        IdKind::Auto => IdKind::Integers,
        asked => asked,
    };
    listing.ids = ids;
    let mut begins_with_blank = None;
    each_line(text, start, |at, words| {
        let is_indented = is_blank(text[at]);
        let may_be = *begins_with_blank.get_or_insert(is_indented);
        let why = if words.iter().any(|id| id.starts_with(b"{")) {
            Some(ATTRIBUTES)
        } else if words.iter().skip(1).any(|id| id.starts_with(b"["))
            || has_brackets(&text[at..next_line(text, at)])
        {
            Some(BRACKETS)
        } else {
            (is_indented && !may_be).then_some(INDENTED)
        };
        if let Some(why) = why {
            return Err(input.at_line_of(at, why));
        }
        let Some((vertex, neighbours)) = words.split_first() else { return Ok(()) };
        let is_none = |id: &&&[u8]| ids == IdKind::Integers && whole(id).is_none();
        if let Some(id) = words.iter().find(is_none) {
            let message = format!(
                "{} is not a vertex id: each line is a vertex and its neighbours, which are integers from 0 to 2^64-1",
                excerpt(id)
            );
            let message = Message::from(message).with_hint(hint::NAMES_AS_IDS);
            return Err(input.at_line_of(at, message));
        }
        let from = listing.vertex(vertex, at)?;
        for id in neighbours {
            let to = listing.vertex(id, at)?;
            listing.edge([from, to], true, None, at)?;
        }
        Ok::<(), Error>(())
    })?;
    Ok(("adjacency list", None))
}

const ATTRIBUTES: &str = "`{` begins attributes, as in a list of edges or in a graph that was printed: write the graph \
                          with networkx.write_adjlist or write_edgelist(…, data=False)";

const INDENTED: &str = "this line begins with a blank and the first does not, so that it may be a vertex of its own or \
                        go on with the line before: take the blank away, or end lines that go on with a backslash";

/// Bytes that show whether ids are names.
const SAMPLE: usize = 1 << 16;

/// Whether most ids at the beginning are no integers. A few that are none are faults.
fn has_names(text: &[u8]) -> bool {
    let text = &text[..text.len().min(SAMPLE)];
    let (mut all, mut integers) = (0u32, 0u32);
    each_line(text, 0, |_, ids: &[&[u8]]| {
        all += ids.len() as u32;
        integers += ids.iter().filter(|id| whole(id).is_some()).count() as u32;
        Ok::<(), ()>(())
    })
    .is_ok()
        && 2 * integers < all
}

/// Gephi writes semicolons.
fn separates(byte: u8) -> bool {
    is_blank(byte) || byte == b',' || byte == b';'
}

/// A vertex, behind which a colon may stand, and its first neighbour where no blank is between them: `1:`, `1:2`. Names may have colons.
fn split_colon(first: &[u8]) -> [&[u8]; 2] {
    if let Some(vertex) = first.strip_suffix(b":") {
        return [vertex, &[]];
    }
    let colon = first.iter().position(|&byte| byte == b':').unwrap_or(first.len());
    match first.split_at(colon) {
        (vertex, [b':', neighbour @ ..]) if whole(vertex).is_some() => [vertex, neighbour],
        _ => [first, &[]],
    }
}

/// Calls `found` with the ids of each line that has any, and where the line begins. A backslash at its end joins a line
/// to the next.
fn each_line<'a, E>(
    text: &'a [u8],
    mut at: usize,
    mut found: impl FnMut(usize, &[&'a [u8]]) -> std::result::Result<(), E>,
) -> std::result::Result<(), E> {
    let mut ids = Vec::new();
    while at < text.len() {
        let from = at;
        ids.clear();
        loop {
            let next = next_line(text, at);
            let line = &text[at..next];
            // `#` begins a comment, after ids too.
            let line = line.split(|&byte| byte == b'#').next().unwrap_or_default();
            if ids.is_empty() && line.trim_ascii_start().first() == Some(&b'%') {
                at = next;
                break;
            }
            let joined = line.trim_ascii_end().strip_suffix(b"\\").filter(|_| next < text.len());
            let parts = joined.unwrap_or(line).split(|&byte| separates(byte) || ends_line(byte));
            let mut parts = parts.filter(|id| !id.is_empty()).peekable();
            if ids.is_empty()
                && let Some(first) = parts.next()
            {
                ids.extend(split_colon(first).into_iter().filter(|id| !id.is_empty()));
                parts.next_if(|part| part == b":" || part == b"->");
            }
            ids.extend(parts);
            at = next;
            if joined.is_none() {
                break;
            }
        }
        if !ids.is_empty() {
            found(from, &ids)?;
        }
    }
    Ok(())
}
