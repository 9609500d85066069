"""Damage that files really have, and damage that nobody would think of."""

from __future__ import annotations

import random
import struct

#: Words where an id is expected.
WORDS = (
    b"-1 0 1 2 3 4 5 7 10 007 +5 1.0 1.5 1e3 0x10 1_000 nan NA null None inf \\N 2147483647 2147483648 4294967293 "
    b"4294967294 4294967295 4294967296 9007199254740993 18446744073709551615 18446744073709551616 "
    b"340282366920938463463374607431768211456 a Ann \xc3\xa9 \xff \xe2\x80\x8b \"1\" '1' 1,2 1;2 1|2 # % // -- {} 1\x00"
).split(b" ")
#: What stands between words, and between lines.
BETWEEN = [b" ", b"  ", b"\t", b",", b";", b"|", b", ", b"", b"\x0b", b"\xc2\xa0"]
ENDS = [b"\n", b"\r\n", b"\r", b"\n\n", b"", b"\x00", b"\x0c", b"\x1a"]
LINES = [b"# comment", b"% comment", b"//", b"", b"   ", b"source,target", b"0 1 2", b"0", b"\xef\xbb\xbf0 1", b"---", b"1 1"]
#: Numbers in the heads of binary files.
NUMBERS = [0, 1, 2, 3, 7, 255, 256, 2**15, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**33, 2**62, 2**63 - 1, 2**63, 2**64 - 1]


def text(content: bytes, draw: random.Random) -> bytes:
    """Change words, lines and what is between them."""
    for _ in range(draw.choice((0, 1, 1, 1, 2, 3, 6))):
        lines = content.split(b"\n")
        place = draw.randrange(len(lines))
        kind = draw.randrange(13)
        if kind == 0:
            lines[place] = draw.choice(LINES)
        elif kind == 1:
            del lines[place]
        elif kind == 2:
            lines.insert(place, lines[draw.randrange(len(lines))])
        elif kind == 3:
            other = draw.randrange(len(lines))
            lines[place], lines[other] = lines[other], lines[place]
        elif kind == 4:
            lines.insert(place, draw.choice(LINES))
        elif kind in (5, 6, 7):
            words = lines[place].split()
            if words:
                words[draw.randrange(len(words))] = draw.choice(WORDS)
                lines[place] = b" ".join(words)
        elif kind == 8:
            words = lines[place].split()
            lines[place] = draw.choice(BETWEEN).join(words)
        elif kind == 9:
            words = lines[place].split()
            words.insert(draw.randrange(len(words) + 1), draw.choice(WORDS))
            lines[place] = b" ".join(words)
        elif kind == 10:
            return draw.choice(ENDS).join(lines)
        elif kind == 11:
            return b"\n".join(lines)[: draw.randrange(len(content) + 1)]
        else:
            return binary(b"\n".join(lines), draw)
        content = b"\n".join(lines)
    return content


def binary(content: bytes, draw: random.Random) -> bytes:
    """Change bytes, numbers and lengths."""
    damaged = bytearray(content)
    for _ in range(draw.choice((0, 1, 1, 1, 1, 2, 3))):
        if not damaged:
            return bytes(damaged)
        # Heads and feet say more than what is between.
        near = min(len(damaged), draw.choice((16, 64, 256, len(damaged))))
        place = draw.randrange(near) if draw.random() < 0.7 else len(damaged) - 1 - draw.randrange(near)
        kind = draw.randrange(11)
        if kind == 0:
            damaged[place] ^= 1 << draw.randrange(8)
        elif kind == 1:
            damaged[place] = draw.choice((0, 1, 127, 128, 255))
        elif kind in (2, 3):
            size, code = draw.choice(((1, "<B"), (2, "<H"), (4, "<I"), (8, "<Q"), (4, ">I"), (8, ">Q")))
            number = struct.pack(code, draw.choice(NUMBERS) % (1 << 8 * size))
            damaged[place : place + size] = number[: len(damaged) - place]
        elif kind == 4:
            del damaged[place : place + draw.choice((1, 2, 4, 8, 100))]
        elif kind == 5:
            damaged[place:place] = draw.randbytes(draw.choice((1, 4, 8)))
        elif kind == 6:
            del damaged[place:]
        elif kind == 7:
            damaged[place] = (damaged[place] + draw.choice((1, 2, 254, 255))) % 256
        elif kind in (8, 9):
            # Bytes from elsewhere, where they do not move what follows.
            size, start = draw.choice((1, 4, 8)), draw.randrange(len(damaged))
            size = min(size, len(damaged) - place, len(damaged) - start)
            damaged[place : place + size] = damaged[start : start + size]
        else:
            start = draw.randrange(len(damaged))
            damaged[place:place] = damaged[start : start + draw.choice((1, 8, 64))]
    return bytes(damaged)
