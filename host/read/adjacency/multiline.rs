//! Multi-line adjacency lists: a line with a vertex and a number, and as many lines below it, each a neighbour and its
//! attributes between braces. They are told, and not read.

use super::super::number::whole;
use super::each_line;

/// What to say of such a list.
pub(crate) const MESSAGE: &str = "this looks like a multi-line adjacency list, a vertex and the number of its neighbours on a line \
     and these below it, which is not read: write the graph with networkx.write_adjlist or write_edgelist(…, data=False)";

/// Whether a text is of this kind: the first vertex with neighbours has braces on the line below it.
pub(crate) fn is_multiline(text: &[u8]) -> bool {
    let mut found = None;
    let mut below = false;
    // The line that shows it ends the walk.
    let _ = each_line(text, 0, |_, ids| {
        if below {
            found = Some(ids.get(1).is_some_and(|id| id.starts_with(b"{")));
            return Err(());
        }
        match ids {
            [_, degree] => match whole(degree) {
                Some(0) => {}
                Some(_) => below = true,
                None => return Err(()),
            },
            _ => return Err(()),
        }
        Ok(())
    });
    found.unwrap_or(false)
}
