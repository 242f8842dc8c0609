"""results.py -- a result file of `meshway run` (docs/result.schema.json) as dataclasses.

Result files come from other machines and other people. So size and depth are limited before anything
is parsed, every value that is used is checked for its type, numbers are finite, and what is wrong is
said by its place in the document. Text is kept as it is: who prints it cleans it (clean()), who makes
HTML escapes it.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import json
import math
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Iterator

from .campaign import DATA, NO_INPUT, SweepError

SCHEMA_VERSION = 2
BYTES_MOST = 256 << 20  # 64 searches of 256 levels have some 20 MB
DEPTH_MOST = 32  # our own documents have 8
COUNT_MOST = 1 << 53  # beyond it no double is exact, and no run has as many of anything


class ResultError(SweepError):
    """The file is no result, or not one that this program understands."""

    def __init__(self, text: str, code: int = DATA):
        super().__init__(code, text)


# --- what a result is -------------------------------------------------------------------------


@dataclass(frozen=True)
class Spread:
    """Seconds: of the rank with the least, of all on average, of the rank with the most."""

    least: float
    mean: float
    most: float


@dataclass(frozen=True)
class Level:
    number: int
    direction: str
    time_s: float  # of rank 0
    longest_work_s: float
    mean_work_s: float
    n_active: int
    n_active_edges: int
    n_found: int
    n_records: int
    n_bytes: int
    n_batches: int
    by_size: tuple[int, ...]  # messages of 2^(k + 4) to 2^(k + 5) - 1 bytes
    spent: dict[str, Spread]  # empty: the file is from before it was measured

    @property
    def mean_s(self) -> float:
        """Of all ranks on average, which is what the parts of `spent` add up to."""
        return sum(s.mean for s in self.spent.values()) or self.time_s


@dataclass(frozen=True)
class Search:
    root: int | str | None
    time_s: float
    n_edges: int
    validate_s: float | None
    modelled_s: float | None
    levels: tuple[Level, ...]

    @property
    def seconds_per_edge(self) -> float:
        return self.time_s / self.n_edges

    @property
    def teps(self) -> float:
        return self.n_edges / self.time_s

    @property
    def n_bytes(self) -> int:
        return sum(level.n_bytes for level in self.levels)

    @property
    def n_messages(self) -> int:
        return sum(level.n_batches for level in self.levels)


@dataclass(frozen=True)
class Sent:
    """Of all searches that a run has made: by sender, then by receiver."""

    n_searches: int
    messages: tuple[tuple[int, ...], ...]
    n_bytes: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Result:
    name: str  # of the file, for messages
    status: str
    reason: str | None
    stamps: tuple[str, ...]
    warnings: tuple[str, ...]
    validated: bool
    graph: dict[str, Any]
    configuration: dict[str, Any]
    memory: dict[str, Any]
    mteps_per_watt: float | None  # of an energy loop; None: there was none, or no counter
    prediction: dict[str, Any] | None  # of time, by plan; None: of such runs there is none
    provenance: dict[str, Any]
    statistics: dict[str, Any] | None
    sent: Sent | None  # between ranks; None: one rank, or too many
    n_resumed: int  # earlier runs that it has gone on from
    searches: tuple[Search, ...]  # that count: they reached an edge and their clock moved

    @property
    def scale(self) -> int:
        return self.graph["scale"]

    @property
    def n_ranks(self) -> int:
        return self.configuration["n_ranks"]

    @property
    def routing(self) -> str:
        return self.configuration["routing"]


# --- reading ------------------------------------------------------------------------------------


def read(path: Path | str) -> Result:
    path = Path(path)
    return from_document(parse(read_bytes(path), str(path)), str(path))


def read_bytes(path: Path) -> bytes:
    try:
        with path.open("rb") as f:
            data = f.read(BYTES_MOST + 1)
    except OSError as e:
        raise ResultError(f"{path}: {e.strerror}", NO_INPUT) from None
    if len(data) > BYTES_MOST:
        raise ResultError(f"{path}: has more than {BYTES_MOST >> 20} MiB, no result of a run has")
    return data


def parse(data: bytes, name: str) -> dict[str, Any]:
    """JSON with nothing that JSON does not have, and not deeper than anybody would write."""
    if not data.strip():
        raise ResultError(f"{name}: is empty")
    if deepest(data) > DEPTH_MOST:
        raise ResultError(f"{name}: more than {DEPTH_MOST} brackets in each other; a result has 8")
    try:
        document = json.loads(data, parse_constant=no_number)
    except UnicodeDecodeError as e:
        raise ResultError(f"{name}: is not UTF-8 at byte {e.start}") from None
    except json.JSONDecodeError as e:
        half = " (half a file?)" if e.pos >= len(data) - 2 else ""
        raise ResultError(f"{name}:{e.lineno}:{e.colno}: {clean(e.msg)}{half}") from None
    except (ValueError, RecursionError) as e:  # a number of too many digits, NaN
        raise ResultError(f"{name}: {clean(str(e))}") from None
    if not isinstance(document, dict):
        raise ResultError(f"{name}: is no JSON object")
    return document


def no_number(word: str) -> float:
    raise ValueError(f"{word} is no number of JSON")


def deepest(data: bytes) -> int:
    """Brackets in each other. Those in strings count too, which only refuses what is strange anyway:
    a string of ours has none without its partner."""
    depth = most = 0
    for byte in data.translate(None, delete=_NO_BRACKETS):
        depth += 1 if byte in b"[{" else -1
        most = max(most, depth)
    return most


_NO_BRACKETS = bytes(b for b in range(256) if b not in b"[]{}")


def checksum_holds(data: bytes) -> bool:
    """The file's own: FNV-1a, 64 bits, over all bytes before its own line."""
    line = data.rfind(b"\n", 0, max(0, data.rfind(b'"checksum"'))) + 1
    value = 0xCBF29CE484222325
    for byte in data[:line]:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return f'"fnv1a64:{value:016x}"'.encode() in data[line:]


class Place:
    """A value and where it stands in the document."""

    def __init__(self, value: Any, where: str):
        self.value, self.where = value, where

    def wrong(self, expected: str) -> ResultError:
        shown = clean(json.dumps(self.value))
        return ResultError(f"{self.where}: is {shown[:40]}, expected {expected}")

    def has(self, key: str) -> bool:
        return isinstance(self.value, dict) and self.value.get(key) is not None

    def at(self, key: str) -> "Place":
        if not isinstance(self.value, dict):
            raise self.wrong("an object")
        if key not in self.value:
            raise ResultError(f"{self.where}: has no {key}")
        return Place(self.value[key], f"{self.where}.{key}")

    def each(self) -> Iterator["Place"]:
        if not isinstance(self.value, list):
            raise self.wrong("a list")
        for i, value in enumerate(self.value):
            yield Place(value, f"{self.where}[{i}]")

    def object(self) -> dict[str, Any]:
        if not isinstance(self.value, dict):
            raise self.wrong("an object")
        return self.value

    def text(self) -> str:
        if not isinstance(self.value, str):
            raise self.wrong("a text")
        return self.value

    def count(self) -> int:
        if isinstance(self.value, bool) or not isinstance(self.value, int) or not 0 <= self.value <= COUNT_MOST:
            raise self.wrong("a count")
        return self.value

    def seconds(self) -> float:
        return self.real("seconds", 0)

    def real(self, what: str = "a number", least: float = -math.inf) -> float:
        if isinstance(self.value, bool) or not isinstance(self.value, (int, float)):
            raise self.wrong(what)
        value = float(self.value) if abs(self.value) < 1e300 else math.inf
        if not math.isfinite(value) or value < least:
            raise self.wrong(what)
        return value

    def maybe(self, key: str) -> "Place | None":
        return self.at(key) if self.has(key) else None


def optional_seconds(place: Place | None) -> float | None:
    return None if place is None else place.seconds()


def optional_count(place: Place, key: str) -> int:
    """Of a level: a key that is not there says 0."""
    return place.at(key).count() if place.has(key) else 0


def from_document(document: dict[str, Any], name: str) -> Result:
    top = Place(document, name)
    version = top.at("schema_version").value
    if version != SCHEMA_VERSION:
        raise ResultError(f"{name}: has schema_version {clean(json.dumps(version))[:40]}, this program reads "
                          f"{SCHEMA_VERSION}; take the meshway that wrote it, or run it again")
    validation = top.at("validation")
    top.at("checksum").text()  # the last key: without it the file was cut
    return Result(
        name=name,
        status=top.at("status").text(),
        reason=top.at("reason").text() if top.has("reason") else None,
        stamps=tuple(p.text() for p in top.at("stamps").each()),
        warnings=tuple(p.text() for p in top.at("warnings").each()),
        validated=validation.at("passed").value is True,
        graph=graph_of(top.at("graph")),
        configuration=configuration_of(top.at("configuration")),
        memory=memory_of(top.at("memory")),
        mteps_per_watt=energy_of(top.at("energy")) if top.has("energy") else None,
        prediction=prediction_of(top.at("prediction")) if top.has("prediction") else None,
        provenance=provenance_of(top.at("provenance")),
        statistics=top.at("statistics").object() if top.has("statistics") else None,
        sent=sent_of(top.at("sent_between_ranks"), top) if top.has("sent_between_ranks") else None,
        n_resumed=sum(1 for p in top.at("resumed").each() if p.object()) if top.has("resumed") else 0,
        searches=tuple(s for p in top.at("searches").each() if (s := search_of(p)) is not None))


def graph_of(graph: Place) -> dict[str, Any]:
    for key in ("scale", "edgefactor", "n_vertices", "n_edges"):
        graph.at(key).count()
    for key in ("generation_s", "construction_s"):
        graph.at(key).seconds()
    for key in ("source", "digest"):
        graph.at(key).text()
    return graph.object()


def configuration_of(configuration: Place) -> dict[str, Any]:
    for key in ("n_ranks", "n_hosts", "threads_per_rank", "cores_of_host"):
        configuration.at(key).count()
    for key in ("backend", "engine", "routing", "key_policy"):
        configuration.at(key).text()
    options = configuration.at("options")
    for key in options.object():
        options.at(key).object()
    return configuration.object()


def memory_of(memory: Place) -> dict[str, Any]:
    if memory.has("predicted_bytes"):
        memory.at("predicted_bytes").count()
    memory.at("peak_bytes").count()
    memory.at("sum_peak_bytes").count()
    return memory.object()


def energy_of(energy: Place) -> float | None:
    return energy.at("mteps_per_watt").real(least=0) if energy.has("mteps_per_watt") else None


def prediction_of(prediction: Place) -> dict[str, Any]:
    for key in ("construction_s", "search_s", "validation_s", "run_s"):
        prediction.at(key).seconds()
    return prediction.object()


def sent_of(sent: Place, top: Place) -> Sent:
    ranks = top.at("configuration").at("n_ranks").count()

    def square(key: str) -> tuple[tuple[int, ...], ...]:
        rows = tuple(tuple(p.count() for p in row.each()) for row in sent.at(key).each())
        if len(rows) != ranks or any(len(row) != ranks for row in rows):
            raise ResultError(f"{sent.where}.{key}: is no table of {ranks} by {ranks} ranks")
        return rows

    if (n := sent.at("n_searches").count()) == 0:
        raise sent.at("n_searches").wrong("at least one")
    return Sent(n, square("messages"), square("bytes"))


def provenance_of(provenance: Place) -> dict[str, Any]:
    for key in ("build", "machine", "environment"):
        provenance.at(key).object()
    for place in provenance.at("ranks").each():
        place.at("host").text()
    for place in provenance.at("argv").each():
        place.text()
    return provenance.object()


def search_of(place: Place) -> Search | None:
    """None: it has no rate, for it reached no edge, ended early, or nobody could time it."""
    n_edges, time_s = place.maybe("n_edges"), place.maybe("time_s")
    rated = place.has("teps") and n_edges is not None and time_s is not None
    if not rated or n_edges.count() == 0 or time_s.seconds() == 0:
        return None
    root = place.value.get("root")
    if root is not None and (isinstance(root, bool) or not isinstance(root, (int, str))):
        raise place.at("root").wrong("a vertex")
    return Search(root=root, time_s=time_s.seconds(), n_edges=n_edges.count(),
                  validate_s=optional_seconds(place.maybe("validate_s")),
                  modelled_s=optional_seconds(place.maybe("modelled_s")),
                  levels=tuple(level_of(p) for p in place.at("levels").each()))


def level_of(place: Place) -> Level:
    return Level(
        number=place.at("level").count(),
        direction=place.at("direction").text(),
        time_s=place.at("time_s").seconds(),
        longest_work_s=place.at("longest_work_s").seconds(),
        mean_work_s=place.at("mean_work_s").seconds(),
        n_active=place.at("n_active").count(),
        n_active_edges=place.at("n_active_edges").count(),
        n_found=place.at("n_found").count(),
        n_records=place.at("n_records").count(),
        n_bytes=optional_count(place, "bytes"),
        n_batches=optional_count(place, "n_batches"),
        by_size=tuple(p.count() for p in place.at("n_batches_by_size").each())
        if place.has("n_batches_by_size") else (),
        spent=spent_of(place.at("spent_ns")) if place.has("spent_ns") else {})


def spent_of(place: Place) -> dict[str, Spread]:
    spent = {}
    for name in place.object():
        of = place.at(name)
        three = [p.count() * 1e-9 for p in of.each()] if isinstance(of.value, list) else [of.count() * 1e-9] * 3
        if len(three) != 3:
            raise place.at(name).wrong("three numbers: least, mean, most")
        spent[name] = Spread(*three)
    return spent


# --- for people -----------------------------------------------------------------------------------


def clean(text: str) -> str:
    """Without what a terminal or a page could take for an order: control characters, and those that turn
    the direction of writing."""
    return "".join(c if c == " " or unicodedata.category(c)[0] not in "CZ" else "\N{REPLACEMENT CHARACTER}"
                   for c in text)
