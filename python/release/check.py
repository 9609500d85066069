"""Looks at what would be uploaded: `python check.py FOLDER`. Standard library only.

Of every wheel: its name and tags, its size, what is in it, which machine its programs are for, and that they need no
newer glibc than the tag says. Of every source distribution: that cargo finds all that it builds from.
"""

from __future__ import annotations

import email
import re
import struct
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

MOST_BYTES = 12 << 20
#: What tribin depends on, the last ones with its extras only.
DEPENDS = [
    "numpy>=1.23",
    "tqdm>=4.60 ; extra == 'progress'",
    "ray[data]>=2.40 ; extra == 'ray'",
    "pyspark>=4.0 ; extra == 'spark'",
    "pyarrow>=15 ; extra == 'spark'",
]
MACHINES = {"x86_64": 62, "aarch64": 183}
PYTHONS = {("cp310", "abi3"), ("cp314", "cp314t"), ("cp315", "abi3.abi3t"), ("cp315", "abi3t")}
#: The libraries that every Linux with glibc has.
SYSTEM = re.compile(r"lib(c|m|dl|rt|pthread|gcc_s)\.so\.\d+|ld-linux-(x86-64|aarch64)\.so\.\d+")


class Refused(Exception):
    """Why something is not to be uploaded."""


def need(holds: object, why: str) -> None:
    if not holds:
        raise Refused(why)


def elf(data: bytes) -> tuple[int, set[str], tuple[int, int]]:
    """The machine of a shared object, the libraries that it needs, and the newest version of glibc's symbols."""
    need(data[:6] == b"\x7fELF\x02\x01", "no ELF file of 64 bits, little-endian")
    machine = struct.unpack_from("<H", data, 18)[0]
    table, size, count = (struct.unpack_from(form, data, at)[0] for form, at in (("<Q", 40), ("<H", 58), ("<H", 60)))
    sections = [struct.unpack_from("<IIQQQQIIQQ", data, table + place * size) for place in range(count)]
    needed: set[str] = set()
    for section in sections:
        if section[1] == 6:  # SHT_DYNAMIC
            texts = sections[section[6]][4]
            for at in range(section[4], section[4] + section[5], 16):
                tag, value = struct.unpack_from("<QQ", data, at)
                if tag == 1:  # DT_NEEDED
                    begin = texts + value
                    needed.add(data[begin : data.index(b"\0", begin)].decode())
    versions = [tuple(map(int, found)) for found in re.findall(rb"GLIBC_(\d+)\.(\d+)", data)]
    newest = max(versions, default=(0, 0))
    return machine, needed, (newest[0], newest[1])


def metadata(text: bytes, name: str, version: str, depends: list[str]) -> None:
    fields = email.message_from_bytes(text)
    need(fields["Name"] == name and fields["Version"] == version, f"the metadata is of {fields['Name']}")
    need(fields["License-Expression"] == "MIT OR Apache-2.0", "the licence is missing")
    need(fields["Summary"] and fields["Requires-Python"], "the summary or the versions of Python are missing")
    need(str(fields["Description-Content-Type"]).startswith("text/markdown"), "the description is no Markdown")
    need(fields.get_payload(), "the description is empty")
    found = fields.get_all("Requires-Dist") or []
    need(found == depends, f"it depends on {found}, not on {depends}")


def wheel(path: Path) -> tuple[str, str]:
    name, version, python, abi, platform = path.name.removesuffix(".whl").split("-")
    need(path.stat().st_size <= MOST_BYTES, f"{path.stat().st_size} bytes are too many")
    with zipfile.ZipFile(path) as archive:
        need(archive.testzip() is None, "a file is damaged")
        files = set(archive.namelist())
        about = f"{name}-{version}.dist-info"
        for licence in ("LICENSE-APACHE", "LICENSE-MIT"):
            need(f"{about}/licenses/{licence}" in files, f"{licence} is missing")
        if name == "nx_tribin":
            need((python, abi, platform) == ("py3", "none", "any"), "the tags are not those of any Python")
            depends = ["networkx>=3.5", f"tribin=={version}"]
            metadata(archive.read(f"{about}/METADATA"), "nx-tribin", version, depends)
            points = archive.read(f"{about}/entry_points.txt")
            need(b"networkx.backends" in points and b"networkx.backend_info" in points, "it is no backend")
            need({"nx_tribin/__init__.py", "_nx_tribin.py"} <= files, "a module is missing")
            return name, "any"
        metadata(archive.read(f"{about}/METADATA"), "tribin", version, DEPENDS)
        need((python, abi) in PYTHONS, f"the tag {python}-{abi} is not one of {PYTHONS}")
        need(b"tribin" in archive.read(f"{about}/entry_points.txt"), "the command is missing")
        for file in ("__init__.py", "_native.pyi", "py.typed"):
            need(f"tribin/{file}" in files, f"tribin/{file} is missing")
        (library,) = (file for file in files if file.endswith(".so"))
        data = archive.read(library)
        need(b".visible .entry" in data, "the kernels are missing")
        found = re.fullmatch(r"manylinux_(\d+)_(\d+)_(\w+?)(\.manylinux\w+)?", platform)
        if found is None:
            raise Refused(f"the platform {platform} is no manylinux")
        machine, needed, newest = elf(data)
        need(machine == MACHINES[found[3]], f"{library} is for another machine than {found[3]}")
        need(newest <= (int(found[1]), int(found[2])), f"it needs glibc {newest}, which is newer than {platform}")
        others = sorted(needed for needed in needed if not SYSTEM.fullmatch(needed))
        need(not others, f"it needs {others}")
        return f"{python}-{abi}", found[3]


def sources(path: Path) -> tuple[str, str]:
    with tempfile.TemporaryDirectory() as folder, tarfile.open(path) as archive:
        archive.extractall(folder, filter="data")
        (top,) = Path(folder).iterdir()
        name, version = top.name.split("-")
        depends = DEPENDS if name == "tribin" else ["networkx>=3.5", f"tribin=={version}"]
        metadata((top / "PKG-INFO").read_bytes(), name.replace("_", "-"), version, depends)
        manifests = [manifest for manifest in top.rglob("Cargo.toml") if 'name = "tribin-python"' in manifest.read_text()]
        if name == "tribin":
            need(len(manifests) == 1, "the crate of the package is missing")
            command = ["cargo", "metadata", "--locked", "--format-version=1", "--manifest-path", str(manifests[0])]
            ran = subprocess.run(command, capture_output=True, text=True)
            need(ran.returncode == 0, ran.stderr)
            need(list(top.rglob("*.ptx")), "the kernels are missing")
            need(list(top.rglob("host/cli/mod.rs")), "the sources of the command are missing")
    return name, "sources"


def main(folder: str) -> int:
    found: dict[Path, tuple[str, str]] = {}
    failed = 0
    for path in sorted(Path(folder).iterdir()):
        if not path.name.endswith((".whl", ".tar.gz")):
            continue
        try:
            found[path] = wheel(path) if path.suffix == ".whl" else sources(path)
            print(f"    {path.name}: {path.stat().st_size:,} bytes, good")
        except (Refused, KeyError, ValueError) as why:
            failed = 1
            print(f"    {path.name}: {why}")
    if len(set(found.values())) != len(found):
        failed = 1
        print("    two files are for the same machine and Python")
    print(f"    {len(found)} distributions")
    return failed or not found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
