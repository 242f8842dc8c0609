"""results.py -- result files of `meshway run` as dataclasses, and as pandas frames where pandas is there.

The reader is the one that reports are made with (tools/meshway_sweep/results.py); the files are described
in docs/result.schema.json.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any, Iterable

from ._sweep.results import Level, Result, ResultError, Search, Spread
from ._sweep.results import read as _read

__all__ = ["Level", "Result", "ResultError", "Search", "Spread", "levels_frame", "read", "searches_frame"]


def read(path: str | Path) -> Result:
    """Checked for types and finite numbers; ResultError says what is wrong and where."""
    return _read(path)


def searches_frame(results: Result | Iterable[Result]) -> Any:
    """A pandas.DataFrame with a row for each search that counts, of one result or several."""
    return _frame([{**_of_result(r), "search": i, "root": s.root, "time_s": s.time_s, "teps": s.teps,
                    "n_edges": s.n_edges, "n_levels": len(s.levels), "n_bytes": s.n_bytes,
                    "n_messages": s.n_messages, "validate_s": s.validate_s, "modelled_s": s.modelled_s}
                   for r in _several(results) for i, s in enumerate(r.searches)])


def levels_frame(results: Result | Iterable[Result]) -> Any:
    """A pandas.DataFrame with a row for each level of each search."""
    plain = [f.name for f in dataclasses.fields(Level) if f.name not in ("number", "by_size", "spent")]
    return _frame([{**_of_result(r), "search": i, "root": s.root, "level": level.number,
                    **{name: getattr(level, name) for name in plain}}
                   for r in _several(results) for i, s in enumerate(r.searches) for level in s.levels])


def _several(results: Result | Iterable[Result]) -> Iterable[Result]:
    return [results] if isinstance(results, Result) else results


def _of_result(r: Result) -> dict[str, Any]:
    return {"file": r.name, "scale": r.scale, "n_ranks": r.n_ranks, "routing": r.routing}


def _frame(rows: list[dict[str, Any]]) -> Any:
    try:
        import pandas
    except ImportError as e:
        raise ImportError("frames need pandas: pip install pandas, or apt-get install python3-pandas") from e
    return pandas.DataFrame(rows)
