"""arrays.py -- what callers give as numbers, checked and made into what the C interface takes.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import operator
from typing import Any, Sequence

import numpy as np

from . import _read
from .errors import DataError, UsageError

NO_VERTEX, NO_LEVEL = 2**64 - 1, 2**32 - 1


def index_of(value: Any, what: str) -> int:
    """An integer that fits 64 bits without a sign. TypeError for what is none, as for a list's index."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{what}: {value!r} is no integer") from None
    if number < 0:
        raise UsageError(f"{what}: {number} is less than 0")
    if number >= NO_VERTEX:
        raise UsageError(f"{what}: {number} is out of range 0..{NO_VERTEX - 1}")
    return number


def _at(what: str, i: int) -> str:
    return f"{what}, row {i}" if what.startswith("column ") else f"{what}[{i}]"


def ends(array: Any, what: str) -> np.ndarray:
    """One end of each edge as contiguous uint64: without a copy where it is that, or int64, already. what: a name, or
    "column 'NAME'" of a table."""
    array = np.asarray(array)
    if array.ndim != 1:
        raise UsageError(f"{what}: has shape {array.shape}, expected one dimension")
    if array.size == 0:
        return np.empty(0, dtype=np.uint64)
    if array.dtype.kind not in "iu":
        hint = ("a missing value makes a column of floats" if array.dtype.kind == "f" else
                "pandas.factorize() numbers names, and Graph.from_networkx() takes them")
        raise TypeError(f"{what}: has dtype {array.dtype}, expected integers ({hint})")
    if array.dtype.kind == "i" and array.min() < 0:
        i = int(np.argmax(array < 0))
        raise DataError(f"{_at(what, i)}: is {array[i]}; vertices count from 0")
    array = np.ascontiguousarray(array)
    return array.view(np.uint64) if array.dtype.isnative and array.dtype.itemsize == 8 else array.astype(np.uint64)


def edge_arrays(u: Any, v: Any, what: Sequence[str] = ("u", "v")) -> tuple[np.ndarray, np.ndarray]:
    """Two arrays of ends, or one of shape (m, 2)."""
    if v is None:
        pairs = np.asarray(u)
        if pairs.size == 0 and pairs.ndim <= 2:
            return ends([], "edges"), ends([], "edges")
        if pairs.ndim != 2 or pairs.shape[1] != 2:
            raise UsageError(f"edges: has shape {pairs.shape}, expected (m, 2), or two arrays of m ends")
        return ends(pairs[:, 0], "edges[:, 0]"), ends(pairs[:, 1], "edges[:, 1]")
    u, v = ends(u, what[0]), ends(v, what[1])
    if u.size != v.size:
        raise UsageError(f"{what[0]} has {u.size} ends and {what[1]} has {v.size}")
    return u, v


def weights(array: Any, n: int, what: str = "weights") -> np.ndarray:
    """One weight of each of n edges as contiguous float32, from 0 on."""
    array = np.asarray(array)
    if array.ndim != 1 or array.size != n:
        raise UsageError(f"{what}: has shape {array.shape}, expected one of each edge, ({n},)")
    if n == 0:
        return np.empty(0, dtype=np.float32)
    if array.dtype.kind not in "iuf":
        raise TypeError(f"{what}: has dtype {array.dtype}, expected numbers")
    with np.errstate(over="ignore"):
        narrow = np.ascontiguousarray(array, dtype=np.float32)
    for wrong, text in ((~(array >= 0), "weights are numbers from 0 on"),
                        (~np.isfinite(narrow), "the greatest 32-bit float is 3.4e38")):
        if wrong.any():
            i = int(np.argmax(wrong))
            raise DataError(f"{_at(what, i)}: is {array[i]}; {text}")
    return narrow


def column(table: Any, name: str) -> np.ndarray:
    """One of a table, by its name."""
    try:
        return np.asarray(table[name])
    except (KeyError, IndexError, ValueError):
        raise UsageError(f"the table has no column {name!r}, but {', '.join(map(str, _titles(table)))}") from None


def _titles(table: Any) -> list[Any]:
    return list(getattr(table, "column_names", table.keys() if hasattr(table, "keys") else table.columns))


def pair_of(table: Any) -> tuple[Any, Any]:
    """The columns that have the ends of edges, by their titles, as files have them."""
    pair = _read.pair_of(_titles(table))
    if pair is None:
        raise UsageError(f"the table has columns {', '.join(map(str, _titles(table)))}, and no pair such as source and target, or "
                         'from and to: name them by source="...", target="..."')
    return pair


def numbered(u: np.ndarray, v: np.ndarray, what: Sequence[str]) -> tuple[list[Any], np.ndarray, np.ndarray]:
    """Names in the order in which edges have them, and the ends of edges as their numbers."""
    vertex_of: dict[Any, int] = {}
    ends = np.fromiter((vertex_of.setdefault(name, len(vertex_of)) for pair in zip(u.tolist(), v.tolist(), strict=True) for name in pair),
                       dtype=np.int64, count=2 * u.size)
    missing = [i for name, i in vertex_of.items() if name is None or name != name]
    if missing:
        place = int(np.argmax(np.isin(ends, missing)))
        raise DataError(f"{_at(what[place % 2], place // 2)}: an end of an edge is missing")
    return list(vertex_of), ends[::2], ends[1::2]


def address(array: np.ndarray) -> int | None:
    """For a void pointer; the caller keeps the array alive meanwhile."""
    assert array.flags.c_contiguous
    return array.ctypes.data if array.size else None
