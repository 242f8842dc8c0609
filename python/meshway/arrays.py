"""arrays.py -- what callers give as numbers, checked and made into what the C interface takes.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import operator
from typing import Any

import numpy as np

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


def ends(array: Any, what: str) -> np.ndarray:
    """One end of each edge as contiguous uint64: without a copy where it is that, or int64, already."""
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
        raise DataError(f"{what}[{i}]: is {array[i]}; vertices count from 0")
    array = np.ascontiguousarray(array)
    return array.view(np.uint64) if array.dtype.isnative and array.dtype.itemsize == 8 else array.astype(np.uint64)


def edge_arrays(u: Any, v: Any) -> tuple[np.ndarray, np.ndarray]:
    """Two arrays of ends, or one of shape (m, 2)."""
    if v is None:
        pairs = np.asarray(u)
        if pairs.size == 0 and pairs.ndim <= 2:
            return ends([], "edges"), ends([], "edges")
        if pairs.ndim != 2 or pairs.shape[1] != 2:
            raise UsageError(f"edges: has shape {pairs.shape}, expected (m, 2), or two arrays of m ends")
        return ends(pairs[:, 0], "edges[:, 0]"), ends(pairs[:, 1], "edges[:, 1]")
    u, v = ends(u, "u"), ends(v, "v")
    if u.size != v.size:
        raise UsageError(f"u has {u.size} ends and v has {v.size}")
    return u, v


def weights(array: Any, n: int) -> np.ndarray:
    """One weight of each of n edges as contiguous float32, from 0 on."""
    array = np.asarray(array)
    if array.ndim != 1 or array.size != n:
        raise UsageError(f"weights: has shape {array.shape}, expected one of each edge, ({n},)")
    if n == 0:
        return np.empty(0, dtype=np.float32)
    if array.dtype.kind not in "iuf":
        raise TypeError(f"weights: has dtype {array.dtype}, expected numbers")
    with np.errstate(over="ignore"):
        narrow = np.ascontiguousarray(array, dtype=np.float32)
    for wrong, text in ((~(array >= 0), "weights are numbers from 0 on"),
                        (~np.isfinite(narrow), "the greatest 32-bit float is 3.4e38")):
        if wrong.any():
            i = int(np.argmax(wrong))
            raise DataError(f"weights[{i}]: is {array[i]}; {text}")
    return narrow


def column(table: Any, name: str) -> np.ndarray:
    """One of a table, by its name."""
    try:
        return np.asarray(table[name])
    except (KeyError, IndexError, ValueError):
        names = ", ".join(map(str, getattr(table, "column_names", table.keys() if hasattr(table, "keys") else table.columns)))
        raise UsageError(f"the table has no column {name!r}, but {names}") from None


def numbered(u: np.ndarray, v: np.ndarray) -> tuple[list[Any], np.ndarray, np.ndarray]:
    """Names in the order in which edges have them, and the ends of edges as their numbers."""
    vertex_of: dict[Any, int] = {}
    ends = np.fromiter((vertex_of.setdefault(name, len(vertex_of)) for pair in zip(u.tolist(), v.tolist(), strict=True) for name in pair),
                       dtype=np.int64, count=2 * u.size)
    if any(name is None or name != name for name in vertex_of):
        raise DataError("an end of an edge is missing")
    return list(vertex_of), ends[::2], ends[1::2]


def address(array: np.ndarray) -> int | None:
    """For a void pointer; the caller keeps the array alive meanwhile."""
    assert array.flags.c_contiguous
    return array.ctypes.data if array.size else None
