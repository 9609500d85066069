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
    let text = input.content();
    let start = text_start(text);
    let head = &text[start..text.len().min(start + (1 << 18))];
    if let Some((at, message)) = encoding::check(head, None, listing.ids == IdKind::Names) {
        return Err(input.at_line_of(start + at, message));
    }
    let (mut begins_with_blank, mut are_mixed) = (None, false);
    let (mut all, mut others, mut first_other) = (0, 0, None);
    each_line(text, start, |at, words| {
        let (line, is_indented) = (&text[at..next_line(text, at)], is_blank(text[at]));
        let may_be = *begins_with_blank.get_or_insert(is_indented);
        let why = if words.iter().any(|id| id.starts_with(b"{")) {
            Some(ATTRIBUTES)
        } else if words.iter().skip(1).any(|id| id.starts_with(b"[")) || has_brackets(line) {
            Some(BRACKETS)
        } else {
            (is_indented && !may_be).then_some(INDENTED)
        };
        if let Some(why) = why {
            return Err(input.at_line_of(at, why));
        }
        let Some((vertex, neighbours)) = words.split_first() else { return Ok(()) };
        are_mixed |= line.contains(&b'\t') && line.trim_ascii().contains(&b' ');
        all += words.len();
        for id in words.iter().filter(|id| whole(id).is_none()) {
            others += 1;
            first_other.get_or_insert((at, *id));
        }
        let from = listing.vertex(vertex, at)?;
        for id in neighbours {
            let to = listing.vertex(id, at)?;
            listing.edge([from, to], true, None, at)?;
        }
        Ok::<(), Error>(())
    })?;
    // A few that are no integers are faults.
    let are_names = listing.ids == IdKind::Names || listing.ids == IdKind::Auto && 2 * others > all;
    listing.ids = if are_names { IdKind::Names } else { IdKind::Integers };
    if let Some((at, id)) = first_other.filter(|_| !are_names) {
        let message = format!(
            "{} is not a vertex id: each line is a vertex and its neighbours, which are integers from 0 to 2^64-1",
            excerpt(id)
        );
        return Err(input.at_line_of(at, Message::from(message).with_hint(hint::NAMES_AS_IDS)));
    }
    if are_mixed && are_names {
        listing.notes.push(MIXED.into());
    }
    Ok(("adjacency list", None))
}

const ATTRIBUTES: &str = "`{` begins attributes, as in a list of edges or in a graph that was printed: write the graph \
                          with networkx.write_adjlist or write_edgelist(…, data=False)";

const MIXED: &str =
    "some lines have both blanks and tabs, and each of them was read as the end of a name";

const INDENTED: &str = "this line begins with a blank and the first does not, so that it may be a vertex of its own or \
                        go on with the line before: take the blank away, or end lines that go on with a backslash";

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
            // Gephi writes semicolons.
            let ends = |&byte: &u8| is_blank(byte) || ends_line(byte) || b",;".contains(&byte);
            let parts = joined.unwrap_or(line).split(ends);
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
