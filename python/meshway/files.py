"""files.py -- graph files: how a user of Python says how they are read, packed ones, and errors in Python's words.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import bz2
import contextlib
import gzip
import importlib
import lzma
import os
import re
import tempfile
from typing import Any, BinaryIO, Callable

from . import _read
from .errors import DataError, InputError, MeshwayError, NoSuchFileError, RefusedError, UnavailableError, UsageError

_SEPARATORS = {None: "auto", ",": "comma", ";": "semicolon", "\t": "tab", " ": "blank"}
_YES_NO = {None: "auto", True: "yes", False: "no"}


def keys_of(*, names: bool | None, compact_ids: bool, format: str | None, base: int | None, header: bool | None,
            separator: str | None, weights: bool | str = False) -> str:
    """The arguments of Graph.from_file() as keys of meshway_graph_read_by()."""
    if not isinstance(weights, (bool, str)) or weights == "" or (isinstance(weights, str) and "," in weights):
        raise UsageError(f"weights: {weights!r} is neither True nor False nor the title of a column")
    if names and compact_ids:
        raise UsageError("names=True, compact_ids=True: vertices have names or numbers")
    if separator not in _SEPARATORS:
        raise UsageError(f"separator: {separator!r} is none of ',', ';', '\\t' and ' '")
    if base not in (None, 0, 1):
        raise UsageError(f"base: {base!r} is neither 0 nor 1")
    if format is not None and not re.fullmatch("[a-z0-9]+", format):
        raise UsageError(f"format: {format!r} is no word")
    return (f"names={_YES_NO[names]},compact-ids={'yes' if compact_ids else 'no'},format={format or 'auto'},"
            f"base={'auto' if base is None else int(base)},header={_YES_NO[header]},separator={_SEPARATORS[separator]}"
            + (f",weight-column={weights}" if isinstance(weights, str) else ""))


# --- packed ones ------------------------------------------------------------------------------------


def _by(module: str, function: str) -> Callable[[BinaryIO], BinaryIO]:
    """A decompressor of a module that may not be installed."""
    return lambda packed: getattr(importlib.import_module(module), function)(packed)


# First bytes; what they begin; who reads it, in the order of trying; what may be installed.
_PACKINGS = (
    (b"\x1f\x8b", "gzip", (gzip.open,), ""), (b"BZh", "bzip2", (bz2.open,), ""), (b"\xfd7zXZ\0", "xz", (lzma.open,), ""),
    (b"\x28\xb5\x2f\xfd", "zstd", (_by("compression.zstd", "open"), _by("zstandard", "open")), "zstandard"),
    (b"\x04\x22\x4d\x18", "lz4", (_by("lz4.frame", "open"),), "lz4"))
_RATIO, _LEAST_LIMIT = 100, 1 << 32  # src/cli/run/graph_source.c has the same


def _reader_of(packed: BinaryIO, name: str) -> BinaryIO | None:
    head = packed.read(6)
    packed.seek(0)
    for magic, what, readers, install in _PACKINGS:
        if not head.startswith(magic):
            continue
        for open_it in readers:
            with contextlib.suppress(ImportError):
                return open_it(packed)
        raise UnavailableError(f"{name}: is a {what} file: pip install {install}, or unpack it first")
    return None


class Plain:
    """A graph file to be read: itself; or what a packed one holds, or one of Python's world as text, in a file without
    a name in TMPDIR. kind_of: meshway_file_kind(); None: the file's format is known."""

    def __init__(self, path: bytes, kind_of: Callable[[bytes], bytes | None] | None):
        self.path = path
        self.note: str | None = None
        self._converted = self._has_nodes = False
        self._file: Any = None
        name = os.fsdecode(path)
        try:
            packed = open(path, "rb")
        except OSError:  # the library says it
            return
        with packed:
            if (reader := _reader_of(packed, name)) is not None:
                limit = max(_LEAST_LIMIT, _RATIO * os.fstat(packed.fileno()).st_size)
                self._file = tempfile.TemporaryFile()
                _unpack(reader, self._file, limit, name)
                self.path = b"/proc/self/fd/%d" % self._file.fileno()
            elif kind_of is not None and (kind := kind_of(path)) is not None:
                self._convert(kind.decode(), name)

    def _convert(self, kind: str, name: str) -> None:
        self._file = tempfile.TemporaryFile("w+", encoding="utf-8")
        try:
            self.note = _read.READERS[kind](name, self._file)
            self._file.flush()
        except _read.Missing as why:
            raise UnavailableError(f"{name}: {why}") from None
        except _read.Wrong as why:
            raise DataError(f"{name}: {why}") from None
        except Exception as e:  # of the library that reads
            raise DataError(f"{name}: cannot be read: {type(e).__name__}: {e}") from None
        self._converted, self._has_nodes = True, kind == "graphml"
        self.path = b"/proc/self/fd/%d" % self._file.fileno()

    def keys(self, keys: bytes) -> bytes:
        """Text that was made here has titles."""
        keys = keys.replace(b"header=auto", b"header=yes") if self._converted else keys
        return keys.replace(b"compact-ids=no", b"compact-ids=yes") if self._has_nodes and b"names=yes" not in keys else keys

    def notes(self, of_reading: list[str]) -> list[str]:
        """Those of the library, but for what only the text between says; and that of the conversion."""
        mine = [] if self.note is None else [f"{os.fsdecode(self.path)}: {self.note}"]
        return mine + [note for note in of_reading if not (self._converted and "taken for names" in note)]

    def __enter__(self) -> "Plain":
        return self

    def __exit__(self, *_: Any) -> None:
        if self._file is not None:
            self._file.close()


def _unpack(reader: BinaryIO, plain: BinaryIO, limit: int, name: str) -> None:
    n = 0
    try:
        while block := reader.read(1 << 20):
            n += len(block)
            if n > limit:
                break
            plain.write(block)
        plain.flush()
    except Exception as e:  # each module has its own
        raise DataError(f"{name}: cannot be unpacked into {tempfile.gettempdir()}: {e}") from None
    if n > limit:
        raise RefusedError(f"{name}: unpacks to more than {limit} bytes; if that is meant, unpack it first")


# --- errors -----------------------------------------------------------------------------------------

# The library names the program's options: what a user of Python writes in their place.
_WORDS: tuple[tuple[str, Any], ...] = (
    (r"leave --(\w+) out", r"leave \1 out"),
    (r"(?:--format |\bformat=)([a-z0-9|]+)", lambda m: "format=" + " or ".join(f'"{word}"' for word in m[1].split("|"))),
    (r"(?:--header |header=)(yes|no)\b", lambda m: f"header={m[1] == 'yes'}"),
    (r"--base (\d)", r"base=\1"),
    (r"--(names|compact-ids)\b", lambda m: m[1].replace("-", "_") + "=True"),
    (r"n_vertices (\d+) says that all are meant",
     r"n_vertices=\1 says that all are meant, and compact_ids=True numbers those that occur"))


def in_python(text: str, read: bytes, path: bytes) -> str:
    for pattern, word in _WORDS:
        text = re.sub(pattern, word, text)
    return text.replace(os.fsdecode(read), os.fsdecode(path))


def reword(e: MeshwayError, read: bytes, path: bytes) -> MeshwayError:
    """The same error in Python's words."""
    kind = NoSuchFileError if isinstance(e, InputError) and not os.path.lexists(path) else type(e)
    again = kind(in_python(str(e), read, path))
    again.status = e.status
    return again
