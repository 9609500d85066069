//! The columns of an Arrow schema, and where a record batch has each.

use arrow_ipc::{Precision, Schema, Type, UnionMode};

use super::super::values::LONGEST_BINARY;
use super::super::{Column, Kind};

/// A column.
pub(super) struct Field {
    name: String,
    /// The kind of the column's values; of a dictionary that of its entries.
    kind: Kind,
    pub(super) node: Node,
    /// The id of its dictionary, and the entries.
    pub(super) dictionary: Option<(i64, Node)>,
}

impl Field {
    pub(super) fn column(&self) -> Column {
        Column { name: self.name.clone(), kind: self.kind.clone() }
    }
}

/// How an array is laid out, and where it begins among a message's nodes and buffers.
pub(super) struct Node {
    pub(super) layout: Layout,
    pub(super) node: usize,
    /// The array's first buffer, without those of views before it.
    pub(super) buffer: usize,
    /// Arrays of views before it.
    pub(super) views: usize,
}

/// How an array of a type that can be an id is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    Integer {
        bytes: usize,
        signed: bool,
    },
    Float {
        bytes: usize,
    },
    Decimal {
        bytes: usize,
    },
    /// Texts behind offsets of 32 or 64 bits.
    Texts {
        wide: bool,
    },
    /// Texts of which the short ones are in 16 bytes each.
    Views,
    Binary {
        bytes: usize,
        uuid: bool,
    },
    /// No ids.
    Other,
}

/// The columns of a schema.
pub(super) fn fields(schema: Schema) -> Vec<Field> {
    let mut passed = Passed::default();
    let fields = schema.fields();
    fields
        .iter()
        .flat_map(|fields| fields.iter())
        .map(|field| self::field(&field, &mut passed))
        .collect()
}

/// Nodes, buffers and arrays of views that were passed.
#[derive(Default)]
struct Passed {
    node: usize,
    buffer: usize,
    views: usize,
}

fn field(field: &arrow_ipc::Field, passed: &mut Passed) -> Field {
    let (layout, kind) = layout(field);
    let at = |layout: Layout, passed: &Passed| Node {
        layout,
        node: passed.node,
        buffer: passed.buffer,
        views: passed.views,
    };
    let dictionary = field.dictionary().map(|encoding| {
        let index = encoding.indexType().map_or((4, true), |i| (i.bitWidth() / 8, i.is_signed()));
        let index = match index {
            (bytes @ (1 | 2 | 4 | 8), signed) => Layout::Integer { bytes: bytes as usize, signed },
            _ => Layout::Other,
        };
        (encoding.id(), at(layout, &Passed::default()), index)
    });
    let node = at(dictionary.as_ref().map_or(layout, |(_, _, index)| *index), passed);
    pass(field, passed);
    Field {
        name: field.name().unwrap_or_default().to_owned(),
        kind,
        node,
        dictionary: dictionary.map(|(id, values, _)| (id, values)),
    }
}

/// Goes behind a field's nodes and buffers, and those of its children.
fn pass(field: &arrow_ipc::Field, passed: &mut Passed) {
    passed.node += 1;
    if field.dictionary().is_some() {
        passed.buffer += 2;
        return;
    }
    let dense = || field.type_as_union().is_some_and(|union| union.mode() == UnionMode::Dense);
    passed.buffer += match field.type_type() {
        Type::Null | Type::RunEndEncoded => 0,
        Type::Struct_ | Type::FixedSizeList => 1,
        Type::Union => 1 + usize::from(dense()),
        Type::Utf8 | Type::Binary | Type::LargeUtf8 | Type::LargeBinary => 3,
        Type::ListView | Type::LargeListView => 3,
        _ => 2,
    };
    passed.views += usize::from(matches!(field.type_type(), Type::Utf8View | Type::BinaryView));
    for child in field.children().iter().flat_map(|children| children.iter()) {
        pass(&child, passed);
    }
}

/// How the values of a field are laid out, and what they are.
fn layout(field: &arrow_ipc::Field) -> (Layout, Kind) {
    let other = |what: &str| (Layout::Other, Kind::Other(what.into()));
    match field.type_type() {
        Type::Int => match field.type_as_int().map(|i| (i.bitWidth(), i.is_signed())) {
            Some((bits @ (8 | 16 | 32 | 64), signed)) => {
                (Layout::Integer { bytes: bits as usize / 8, signed }, Kind::Integer)
            }
            _ => other("integer of another width than 8 to 64 bits"),
        },
        Type::FloatingPoint => match field.type_as_floating_point().map(|f| f.precision()) {
            Some(Precision::SINGLE) => (Layout::Float { bytes: 4 }, Kind::Float),
            Some(Precision::DOUBLE) => (Layout::Float { bytes: 8 }, Kind::Float),
            _ => other("16-bit float"),
        },
        Type::Decimal => match field.type_as_decimal().map(|d| (d.bitWidth(), d.scale())) {
            Some((bits @ (32 | 64 | 128), 0)) => {
                (Layout::Decimal { bytes: bits as usize / 8 }, Kind::Integer)
            }
            _ => other("decimal with digits behind the point, or of more than 128 bits"),
        },
        Type::Utf8 | Type::Binary => (Layout::Texts { wide: false }, Kind::Text),
        Type::LargeUtf8 | Type::LargeBinary => (Layout::Texts { wide: true }, Kind::Text),
        Type::Utf8View | Type::BinaryView => (Layout::Views, Kind::Text),
        Type::FixedSizeBinary => {
            let bytes =
                field.type_as_fixed_size_binary().map(|binary| usize::try_from(binary.byteWidth()));
            match bytes {
                Some(Ok(bytes)) if (1..=LONGEST_BINARY).contains(&bytes) => {
                    let uuid = bytes == 16 && extension(field) == Some("arrow.uuid");
                    (Layout::Binary { bytes, uuid }, Kind::Text)
                }
                _ => other("binary of more than 1024 bytes"),
            }
        }
        Type::Bool => other("boolean"),
        Type::Date => other("date"),
        Type::Time => other("time"),
        Type::Timestamp => other("timestamp"),
        Type::Null => other("null"),
        Type::Struct_ => other("struct"),
        _ => other("nested, or of a kind that is not known"),
    }
}

/// The name of the extension type that a field has.
fn extension<'a>(field: &arrow_ipc::Field<'a>) -> Option<&'a str> {
    let entries = field.custom_metadata()?;
    let entry = entries.iter().find(|entry| entry.key() == Some("ARROW:extension:name"))?;
    entry.value()
}
