//! JSON values where they stand in a text: looked into one level at a time, without a copy.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserializer as _, MapAccess, Visitor};
use serde_json::Deserializer;
use serde_json::value::RawValue;

use super::super::ids;

/// A value that is known to be whole.
pub(super) type JsonValue<'a> = &'a RawValue;

/// The members of an object with their keys; none of another value.
pub(super) struct JsonMembers<'a>(pub(super) Vec<(Cow<'a, str>, JsonValue<'a>)>);

impl<'a> JsonMembers<'a> {
    pub(super) fn of(value: JsonValue<'a>) -> JsonMembers<'a> {
        // The value is whole: what fails is no object.
        let members = Deserializer::from_str(value.get()).deserialize_map(InOrder);
        JsonMembers(members.unwrap_or_default())
    }

    pub(super) fn get(&self, name: &str) -> Option<JsonValue<'a>> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| *value)
    }

    /// Whether a member is there and written so.
    pub(super) fn is(&self, name: &str, written: &str) -> bool {
        self.get(name).is_some_and(|value| value.get() == written)
    }

    /// The first that there is of some.
    pub(super) fn first_of(&self, names: &[&str]) -> Option<JsonValue<'a>> {
        names.iter().find_map(|name| self.get(name))
    }
}

/// Takes members in the order of the text.
struct InOrder;

impl<'a> Visitor<'a> for InOrder {
    type Value = Vec<(Cow<'a, str>, JsonValue<'a>)>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'a>>(self, mut members: A) -> Result<Self::Value, A::Error> {
        let mut found = Vec::new();
        while let Some((key, member)) = members.next_entry::<JsonValue, JsonValue>()? {
            found.push((text(key).unwrap_or_default(), member));
        }
        Ok(found)
    }
}

/// The elements of an array; none of another value.
pub(super) fn elements(value: JsonValue<'_>) -> Vec<JsonValue<'_>> {
    serde_json::from_str(value.get()).unwrap_or_default()
}

/// The values of a text, one after the other, up to one that is not whole.
pub(super) fn all(text: &[u8]) -> impl Iterator<Item = serde_json::Result<JsonValue<'_>>> {
    Deserializer::from_slice(text).into_iter()
}

/// What an id is called: a text, an integer, or an object that has one of these, as D3 makes of the ends of edges, and MongoDB of
/// its ids.
pub(super) fn id(value: JsonValue<'_>) -> Option<Cow<'_, str>> {
    let inside = JsonMembers::of(value).first_of(&["id", "$oid", "$numberLong"]);
    let inside = inside.filter(|id| !is_list(id));
    let id = inside.unwrap_or(value);
    match first(id) {
        b'"' => text(id),
        b'0'..=b'9' if !id.get().contains(['.', 'e', 'E']) => Some(id.get().into()),
        b'0'..=b'9' => Some(ids::of_float(id.get().parse().ok()?).ok()?.to_string().into()),
        _ => None,
    }
}

/// How a value begins: with a bracket, a brace, a quote, a digit or a letter.
pub(super) fn first(value: JsonValue) -> u8 {
    value.get().as_bytes().first().copied().unwrap_or_default()
}

pub(super) fn is_object(value: JsonValue) -> bool {
    first(value) == b'{'
}

/// Whether a value has others in it.
pub(super) fn is_list(value: JsonValue) -> bool {
    b"[{".contains(&first(value))
}

/// A text between quotes, without them; `None` of what is no text.
fn text(value: JsonValue<'_>) -> Option<Cow<'_, str>> {
    let text = value.get().strip_prefix('"')?.strip_suffix('"')?;
    match text.contains('\\') {
        false => Some(Cow::Borrowed(text)),
        true => serde_json::from_str(value.get()).ok().map(Cow::Owned),
    }
}
