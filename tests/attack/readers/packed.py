"""Compressed files and archives of edge lists, which Python's own modules and Arrow unpack."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import random
import struct
import tarfile
import zipfile
import zlib

import pyarrow as pa

import mutations
from figures import Figures, NoOpinion

from .base import Binary, Content
from .texts import EdgeList


class Packed(Binary):
    like: tuple[str, ...] = ("edge-list",)
    keeps_memory = True

    def good(self, draw: random.Random) -> bytes:
        return self.pack(EdgeList().good(draw), draw)

    def damaged(self, content: Content, draw: random.Random) -> Content:
        kind = draw.random()
        if kind < 0.45:
            return mutations.binary(content, draw)
        text = self.unpack(content)
        if kind < 0.75:
            return self.pack(mutations.text(text, draw), draw)
        return self.otherwise(content, text, draw)

    def otherwise(self, content: bytes, text: bytes, draw: random.Random) -> bytes:
        """As members that follow each other, cut anywhere; or with something else around them."""
        at = draw.randrange(len(text) + 1)
        members = [self.pack(part, draw) for part in (text[:at], text[at:])]
        kind = draw.randrange(8)
        if kind == 0:
            members[draw.randrange(2)] = mutations.binary(members[0], draw)
        elif kind == 1:
            members.append(draw.choice((b"\0", b"\0" * 8, b"\0" * 512, b"more", self.pack(b"", draw))))
        elif kind == 2:
            members.insert(0, self.pack(b"", draw))
        elif kind == 3:
            members = [self.pack(self.pack(text, draw), draw)]
        return b"".join(members)

    def read(self, content: Content) -> Figures:
        return EdgeList().read(self.unpack(content))

    def pack(self, content: bytes, draw: random.Random) -> bytes: ...

    def unpack(self, content: bytes) -> bytes: ...


class Gzip(Packed):
    name, extension = "gzip", "txt.gz"

    def pack(self, content: bytes, draw: random.Random) -> bytes:
        plain = gzip.compress(content, draw.choice((1, 6, 9)), mtime=0)
        if draw.random() < 0.7:
            return plain
        # What RFC 1952 allows in a header.
        flags, more = 0, b""
        if draw.random() < 0.5:
            flags, more = flags | 4, more + struct.pack("<H", 6) + b"AB\x02\x00xy"
        if draw.random() < 0.5:
            flags, more = flags | 8, more + b"edges.txt\0"
        if draw.random() < 0.5:
            flags, more = flags | 16, more + b"a comment\0"
        head = plain[:3] + bytes((flags | 2,)) + plain[4:10] + more
        return head + struct.pack("<H", zlib.crc32(head) & 0xFFFF) + plain[10:]

    def unpack(self, content: bytes) -> bytes:
        return gzip.decompress(content)


class Bzip2(Packed):
    name, extension = "bzip2", "txt.bz2"

    def pack(self, content: bytes, draw: random.Random) -> bytes:
        return bz2.compress(content, 9 if draw.random() < 0.1 else 1)

    def unpack(self, content: bytes) -> bytes:
        return bz2.decompress(content)


class Xz(Packed):
    name, extension, share = "xz", "txt.xz", 2

    def pack(self, content: bytes, draw: random.Random) -> bytes:
        check = draw.choice((lzma.CHECK_NONE, lzma.CHECK_CRC32, lzma.CHECK_CRC64, lzma.CHECK_SHA256))
        filters = [{"id": lzma.FILTER_LZMA2, "dict_size": 4096, "mode": lzma.MODE_FAST, "mf": lzma.MF_HC3}]
        if draw.random() < 0.1:
            filters.insert(0, {"id": lzma.FILTER_DELTA, "dist": 2})
        return lzma.compress(content, lzma.FORMAT_XZ, check, filters=filters)

    def unpack(self, content: bytes) -> bytes:
        # Zeros may follow a stream, four at a time; Python's module knows nothing of them.
        while content.endswith(b"\0\0\0\0"):
            content = content[:-4]
        try:
            return lzma.decompress(content, format=lzma.FORMAT_XZ)
        except lzma.LZMAError:
            size, flags = struct.unpack("<I", content[-8:-4])[0] if len(content) > 12 else 0, content[-4:-2]
            whole = content.endswith(footer(size, flags))
            if whole and any(lzma_reads(content[:-12] + footer(size, flags)) for size in range(16)):
                # A footer as it should be, but for the way back to the index, which who reads from the beginning does
                # not need.
                raise NoOpinion from None
            raise


def footer(size: int, flags: bytes) -> bytes:
    """The end of a stream whose index takes `size` times four bytes and four more."""
    content = struct.pack("<I", size) + flags
    return struct.pack("<I", zlib.crc32(content)) + content + b"YZ"


def lzma_reads(content: bytes) -> bool:
    try:
        lzma.decompress(content, format=lzma.FORMAT_XZ)
        return True
    except lzma.LZMAError:
        return False


class Zstd(Packed):
    """Arrow decompresses it."""

    name, extension = "zstd", "txt.zst"

    def pack(self, content: bytes, draw: random.Random) -> bytes:
        if draw.random() < 0.5:
            # One block whose length stands before it.
            return pa.compress(content, codec="zstd", asbytes=True)
        sink = pa.BufferOutputStream()
        with pa.CompressedOutputStream(sink, "zstd") as stream:
            stream.write(content)
        whole = sink.getvalue().to_pybytes()
        if draw.random() < 0.2:
            whole = b"\x5a\x2a\x4d\x18" + struct.pack("<I", 3) + b"abc" + whole
        return whole

    def unpack(self, content: bytes) -> bytes:
        with pa.CompressedInputStream(pa.BufferReader(content), "zstd") as stream:
            return stream.read()


class Zip(Packed):
    name, extension = "zip", "zip"

    def pack(self, content: bytes, draw: random.Random) -> bytes:
        file = io.BytesIO()
        method = draw.choice((zipfile.ZIP_DEFLATED, zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED))
        with zipfile.ZipFile(file, "w") as archive:
            if draw.random() < 0.2:
                archive.writestr(zipfile.ZipInfo("README.md"), b"1 2 3", method)
            if draw.random() < 0.2:
                archive.comment = b"a comment"
            name = draw.choice(("edges.txt", "data/edges.txt", "g.el"))
            archive.writestr(zipfile.ZipInfo(name), content, method)
        return file.getvalue()

    def otherwise(self, content: bytes, text: bytes, draw: random.Random) -> bytes:
        before = draw.choice((b"", b"MZ", b"PK\x03\x04"))
        return before + content + draw.choice((b"", b"\0", b"more"))

    def unpack(self, content: bytes) -> bytes:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return archive.read(the_graph([name for name in archive.namelist() if not name.endswith("/")]))


def the_graph(names: list[str]) -> str:
    """The only member that is no document."""
    names = [name for name in names if not name.lower().endswith("readme.md")]
    if len(names) != 1:
        raise NoOpinion
    return names[0]


class Tar(Packed):
    name, extension = "tar", "tar"

    def pack(self, content: bytes, draw: random.Random) -> bytes:
        plain = io.BytesIO()
        form = draw.choice((tarfile.PAX_FORMAT, tarfile.GNU_FORMAT, tarfile.USTAR_FORMAT))
        with tarfile.open(fileobj=plain, mode="w", format=form) as archive:
            add = []
            if draw.random() < 0.3:
                add.append(("README.md", b"1 2 3", tarfile.REGTYPE))
            if draw.random() < 0.3:
                add.append(("data", b"", tarfile.DIRTYPE))
            long = "a" * 120 + "/edges.txt" if form != tarfile.USTAR_FORMAT else "b" * 80 + "/" + "c" * 40 + ".txt"
            add.append((draw.choice(("edges.txt", "data/edges.txt", long)), content, tarfile.REGTYPE))
            if draw.random() < 0.2:
                add.append(("link", b"", tarfile.SYMTYPE))
            for name, data, kind in add:
                member = tarfile.TarInfo(name)
                member.type, member.size, member.linkname = kind, len(data), "edges.txt" if kind == tarfile.SYMTYPE else ""
                archive.addfile(member, io.BytesIO(data))
        return plain.getvalue()

    def otherwise(self, content: bytes, text: bytes, draw: random.Random) -> bytes:
        """Another number in a header, whose checksum is right."""
        damaged = bytearray(content)
        head = 512 * draw.choice((0, 0, 0, 1, 2))
        fields = ((0, 100), (100, 8), (124, 12), (136, 12), (156, 1), (157, 100), (257, 8), (345, 155))
        place, length = draw.choice(fields)
        value = draw.choice((
            b"", b"0", b"1", b"5", b"L", b"x", b"g", b"K", b"S", b"7", b"00000000014\0", b"77777777777\0", b"-1", b"8", b" 12 ",
            b"\x80" + b"\0" * 10 + b"\x0c", b"\xff" * 12, b"edges.txt", b"../a.txt", b"a\0b",
        ))
        damaged[head + place : head + place + length] = value[:length].ljust(length, b"\0")
        block = damaged[head : head + 512]
        if len(block) == 512:
            checksum = sum(block[:148]) + 8 * 32 + sum(block[156:])
            damaged[head + 148 : head + 156] = b"%06o\0 " % checksum
        return bytes(damaged)

    def unpack(self, content: bytes) -> bytes:
        with tarfile.open(fileobj=io.BytesIO(content), mode="r:") as archive:
            members = [member for member in archive.getmembers() if member.isfile()]
            # The last of a name is the one that would be there after it was unpacked.
            chosen = the_graph([member.name for member in members])
            (only,) = [member for member in members if member.name == chosen]
            found = archive.extractfile(only)
            assert found is not None
            return found.read()


class TarGz(Tar):
    name, extension, like = "tar-gz", "tar.gz", ("edge-list", "tar", "gzip")

    def pack(self, content: bytes, draw: random.Random) -> bytes:
        return gzip.compress(super().pack(content, draw), 1, mtime=0)

    def otherwise(self, content: bytes, text: bytes, draw: random.Random) -> bytes:
        return gzip.compress(super().otherwise(gzip.decompress(content), text, draw), 1, mtime=0)

    def unpack(self, content: bytes) -> bytes:
        return super().unpack(gzip.decompress(content))
