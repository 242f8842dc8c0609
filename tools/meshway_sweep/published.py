"""published.py -- results of others (share/published/published.json), to stand beside ours.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .campaign import DATA, NO_INPUT, SweepError
from .results import Place, parse, read_bytes

FORMAT = 1
STATUSES = ("published", "measured")  # "measured": by this project, on the machine that is named


@dataclass(frozen=True)
class Published:
    system: str
    when: str
    gteps: float
    scale: int | None
    units: int | None  # nodes, processors or GPUs
    unit: str
    status: str
    source: str

    @property
    def per_unit(self) -> float | None:
        return self.gteps / self.units if self.units else None

    def shown(self) -> dict[str, str]:
        return {"system": self.system + (f", {self.when}" if self.when else ""), "gteps": f"{self.gteps:,.6g}",
                "scale": str(self.scale or "-"), "source": self.source, "status": self.status,
                "per_unit": f"{self.per_unit:.3g} a {self.unit} ({self.units:,})" if self.per_unit else "-"}


def folder() -> Path:
    """Beside the package: in the source tree, or where both are installed."""
    above = Path(__file__).resolve().parents[2]
    for candidate in (above / "share" / "published", above / "published"):
        if candidate.is_dir():
            return candidate
    raise SweepError(NO_INPUT, "published.json is not beside the program; install the whole of Meshway")


def load(path: Path | None = None) -> list[Published]:
    path = path or folder() / "published.json"
    top = Place(parse(read_bytes(path), str(path)), str(path))
    if top.at("format").value != FORMAT:
        raise SweepError(DATA, f"{path}: has format {top.at('format').value!r}, this program reads {FORMAT}")
    return [entry(p) for p in top.at("results").each()]


def entry(place: Place) -> Published:
    status = place.at("status").text()
    if status not in STATUSES:
        raise place.at("status").wrong(" or ".join(STATUSES))
    return Published(system=place.at("system").text(), when=place.at("when").text() if place.has("when") else "",
                     gteps=place.at("gteps").real("GTEPS", 0), scale=count(place, "scale"), units=count(place, "units"),
                     unit=place.at("unit").text() if place.has("unit") else "", status=status,
                     source=place.at("source").text())


def count(place: Place, key: str) -> int | None:
    return place.at(key).count() if place.has(key) else None
