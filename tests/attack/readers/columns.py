"""Tables by columns: Parquet and Arrow, which Arrow's own readers read."""

from __future__ import annotations

import decimal
import io
import random

import pyarrow as pa
import pyarrow.feather
import pyarrow.ipc
import pyarrow.parquet

import figures
from figures import Figures, NoOpinion

from .base import Binary, Content, some_edges

NUMBERS = (
    pa.int64(), pa.int64(), pa.int32(), pa.uint8(), pa.int16(), pa.uint32(), pa.uint64(), pa.float64(), pa.float32(),
    pa.decimal128(20, 0),
)
TEXTS = (pa.string(), pa.string(), pa.large_string(), pa.binary(), pa.string_view(), pa.binary(6))


def table(draw: random.Random) -> pa.Table:
    edges = some_edges(draw, 0)
    ends = [[edge[end] for edge in edges] for end in (0, 1)]
    kind = draw.choice(draw.choice((NUMBERS, TEXTS)))
    is_text = kind in TEXTS
    if is_text:
        ends = [[f"Ann {vertex:2}" for vertex in column] for column in ends]
    elif kind == pa.decimal128(20, 0):
        ends = [[decimal.Decimal(vertex) for vertex in column] for column in ends]
    place = draw.randrange(len(edges))
    if draw.random() < 0.15:
        far = {"uint64": 2**64 - 1, "int64": draw.choice((2**63 - 1, -1)), "double": draw.choice((0.5, 2.0**53, -1.0))}
        odd = far.get(str(kind), None) if draw.random() < 0.6 else None
        ends[draw.randrange(2)][place] = odd
    columns = {name: pa.array(column, kind) for name, column in zip(("source", "target"), ends)}
    if (is_text and kind not in (pa.binary(6), pa.string_view()) or kind == pa.int64()) and draw.random() < 0.25:
        columns = {name: column.dictionary_encode() for name, column in columns.items()}
    if draw.random() < 0.4:
        beside = draw.choice((
            pa.array([0.5] * len(edges)), pa.array([None] * len(edges), pa.int32()), pa.array([True] * len(edges)),
            pa.array([[1, 2]] * len(edges)), pa.array([{"a": 1, "b": "x"}] * len(edges)), pa.array(["x"] * len(edges)),
            pa.array([None if row % 2 else "y" for row in range(len(edges))]),
        ))
        columns = {"beside": beside, **columns} if draw.random() < 0.5 else {**columns, "beside": beside}
    return pa.table(columns)


def ends_of(names: list[str]) -> list[str]:
    """The columns that are read; others may be damaged."""
    if names.count("source") != 1 or names.count("target") != 1:
        raise NoOpinion
    return ["source", "target"]


def of_table(found: pa.Table) -> Figures:
    found.validate(full=True)
    columns = [found.column(name) for name in ("source", "target")]
    lists = [values(column) for column in columns]
    kinds = {type(value) for column in lists for value in column}
    if kinds == {int, str}:
        lists = [list(map(str, column)) for column in lists]
    return figures.of(zip(*lists))


def values(column: pa.ChunkedArray) -> list[int] | list[str]:
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    is_text = pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)
    is_binary = pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_binary_view(kind)
    if isinstance(kind, pa.BaseExtensionType):
        # JSON is a text, and others may be numbers.
        raise NoOpinion
    found = column.to_pylist()
    if any(value is None or value != value for value in found):
        raise ValueError("a missing value")
    if pa.types.is_fixed_size_binary(kind):
        return [value.hex() for value in found]
    if is_binary:
        found = [value.decode() for value in found]
    if is_text or is_binary:
        if any(value in ("", "NA", "NaN", "nan", "NULL", "null", "None", "N/A", "\\N") for value in found):
            raise NoOpinion
        return found
    if pa.types.is_decimal(kind) and kind.scale:
        raise ValueError("digits behind the point")
    if pa.types.is_float16(kind) or not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)):
        raise ValueError(f"{kind} is no id")
    if any(value < 0 or value != int(value) or value >= 2**64 for value in found):
        raise ValueError("no id")
    if pa.types.is_floating(kind) and any(value > 2**53 for value in found):
        raise ValueError("no exact integer")
    return list(map(int, found))


class Parquet(Binary):
    """Arrow's own reader reads it."""

    name, extension, share = "parquet", "parquet", 8

    def good(self, draw: random.Random) -> bytes:
        file, found = io.BytesIO(), table(draw)
        options = {}
        plain = not any(pa.types.is_dictionary(kind) for kind in found.schema.types)
        if plain and draw.random() < 0.4:
            options["use_dictionary"] = False
            encodings = {
                "int64": ("PLAIN", "DELTA_BINARY_PACKED", "BYTE_STREAM_SPLIT"), "double": ("PLAIN", "BYTE_STREAM_SPLIT"),
                "int32": ("PLAIN", "DELTA_BINARY_PACKED", "BYTE_STREAM_SPLIT"),
                "string": ("PLAIN", "DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY"),
            }.get(str(found.schema.field("source").type))
            if encodings:
                chosen = draw.choice(encodings)
                options["column_encoding"] = {"source": chosen, "target": chosen}
        pa.parquet.write_table(
            found, file, compression=draw.choice(("none", "none", "snappy", "gzip", "zstd", "lz4")),
            row_group_size=draw.choice((3, 100)), data_page_version=draw.choice(("1.0", "2.0")),
            version=draw.choice(("1.0", "2.4", "2.6")), write_page_checksum=draw.random() < 0.5,
            store_schema=draw.random() < 0.3, write_statistics=draw.random() < 0.5,
            write_page_index=draw.random() < 0.2, data_page_size=draw.choice((None, 16)), **options,
        )
        return file.getvalue()

    def read(self, content: Content) -> Figures:
        try:
            return self.read_as_told(content)
        except NoOpinion:
            raise
        except Exception:
            # Arrow's own schema beside Parquet's may be damaged: only Arrow reads it.
            if b"ARROW:schema" not in content:
                raise
            return self.read_as_told(content.replace(b"ARROW:schema", b"arrow schema"))

    @staticmethod
    def read_as_told(content: Content) -> Figures:
        file = pa.parquet.ParquetFile(pa.BufferReader(content), page_checksum_verification=True)
        chosen = ends_of(file.schema_arrow.names)
        if any(pa.types.is_dictionary(file.schema_arrow.field(name).type) for name in chosen):
            # Of a damaged dictionary with a value twice, Arrow makes one without, and keeps the indices.
            without = content.replace(b"ARROW:schema", b"arrow schema")
            file = pa.parquet.ParquetFile(pa.BufferReader(without), page_checksum_verification=True)
        found = file.read(chosen, use_threads=False)
        if found.num_rows != file.metadata.num_rows:
            # Arrow leaves out what Thrift holds as another type.
            raise ValueError("the columns are not of the expected length")
        return of_table(found)


class Arrow(Binary):
    """Arrow's own reader reads it."""

    name, extension, share = "arrow", "arrow", 4

    def good(self, draw: random.Random) -> bytes:
        file, found = io.BytesIO(), table(draw)
        if draw.random() < 0.2:
            pa.feather.write_feather(found, file, compression=draw.choice(("lz4", "zstd", "uncompressed")))
            return file.getvalue()
        options = pa.ipc.IpcWriteOptions(compression=draw.choice((None, None, "lz4", "zstd")), use_threads=False)
        new = draw.choice((pa.ipc.new_file, pa.ipc.new_stream))
        with new(file, found.schema, options=options) as writer:
            writer.write_table(found, max_chunksize=draw.choice((3, 100)))
        return file.getvalue()

    def read(self, content: Content) -> Figures:
        if self.is_older(content):
            raise NoOpinion
        opened = pa.ipc.open_file if content.startswith(b"ARROW1") else pa.ipc.open_stream
        names = opened(pa.BufferReader(content)).schema.names
        fields = [names.index(name) for name in ends_of(names)]
        options = pa.ipc.IpcReadOptions(included_fields=fields, use_threads=False)
        return of_table(opened(pa.BufferReader(content), options=options).read_all())

    @staticmethod
    def is_older(content: bytes) -> bool:
        """Whether a batch says that it is of version 4, as before Arrow 1.0: Arrow's reader does not decompress
        such batches, those that its own writer compressed too, and takes their bytes for numbers."""
        stream = pa.BufferReader(content[8:] if content.startswith(b"ARROW1") else content)
        try:
            while message := pa.ipc.read_message(stream):
                if message.metadata_version != pa.ipc.MetadataVersion.V5:
                    return True
        except (EOFError, pa.ArrowException, OSError):
            pass
        return False
