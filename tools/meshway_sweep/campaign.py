"""campaign.py -- the directory of a campaign: what is where, how it is written and when a point is done.

    DIR/campaign.json            the points, in the order in which they run; never changed afterwards
    DIR/lock                     flock()ed by who runs it; the lock dies with its holder
    DIR/points/<hash>/           plan.json, cmd.json, stdout, stderr, result*.json, outcome.json
    DIR/points/<hash>/try-N/     earlier tries, whole

A point of one way has result.json; one of several ways a file for each, as `meshway run` names them:
result.auto-direct.json. Everything that is read back appears whole or not at all, so that a runner may
be killed between any two system calls: a point is done because its results are valid, never because
something is there.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import errno
import fcntl
import hashlib
import json
import os
import re
import secrets
import statistics
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FORMAT = 1
DRIFT = 0.15  # a calibration this far from the campaign's median is another machine than before
JSON_LIMIT = 1 << 30  # bytes: of a file that somebody else may have written
HASH = re.compile(r"[0-9a-f]{16}\Z")
RESULT_KEYS = ("schema_version", "status", "validation", "graph", "configuration", "provenance", "searches",
               "checksum")

# Exit codes of meshway (docs/definitions.md), as far as sweeps use them.
OK, USAGE, DATA, NO_INPUT, UNAVAILABLE, INTERNAL = 0, 64, 65, 66, 69, 70
CANNOT_CREATE, IO_ERROR, INTERRUPTED, INVALID, REFUSED = 73, 74, 75, 76, 78


class SweepError(Exception):
    """What ends the program: one sentence for people, a code for scripts."""

    def __init__(self, code: int, text: str):
        super().__init__(text)
        self.code = code


def write_bytes(path: Path, data: bytes) -> None:
    """Under the final name whole or not at all. The temporary name cannot be guessed, and no symbolic
    link that somebody planted is followed."""
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)
    try:
        with os.fdopen(fd, "wb") as f:
            f.write(data)
            f.flush()
            os.fsync(f.fileno())
        os.rename(temporary, path)
    except BaseException:
        try:
            os.unlink(temporary)
        except OSError:
            pass  # what went wrong before is what is told
        raise


def write_json(path: Path, value: Any) -> None:
    write_bytes(path, (json.dumps(value, indent=1, allow_nan=False) + "\n").encode())


def read_json(path: Path) -> dict[str, Any] | None:
    """None: there is none, or it is no whole document."""
    try:
        if path.stat().st_size > JSON_LIMIT:
            return None
        value = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def read_bytes(path: Path) -> bytes | None:
    """None: there is none, or more of it than any result has."""
    try:
        return path.read_bytes() if path.stat().st_size <= JSON_LIMIT else None
    except OSError:
        return None


def way_file(ways: list[str], way: str) -> str:
    """The result file of a way, as `meshway run --json result.json` calls it."""
    return "result.json" if len(ways) < 2 else f"result.{way.replace(' ', '-')}.json"


def checksum_holds(data: bytes) -> bool:
    """What a result file says of itself: FNV-1a of all bytes before the checksum's line. Slow here, so
    only where nobody has seen the file being finished."""
    at = data.rfind(b'\n "checksum"')
    value = 0xCBF29CE484222325
    for byte in data[:at + 1]:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return at >= 0 and f"fnv1a64:{value:016x}".encode() in data[at:]


def is_whole(result: dict[str, Any] | None) -> bool:
    """A result of a run that ended well. Its last key is a checksum: a cut file has none."""
    return result is not None and result.get("status") == "ok" and all(k in result for k in RESULT_KEYS)


@dataclass
class Point:
    folder: Path
    hash: str
    axes: dict[str, Any]
    repetition: int
    ways: list[str]
    argv: list[str]
    drifted: bool = field(default=False)  # by the calibrations of the whole campaign

    @property
    def outcome(self) -> dict[str, Any] | None:
        outcome = read_json(self.folder / "outcome.json")
        if outcome is not None and self.drifted:
            outcome["drifted"] = True
        return outcome

    @property
    def plan(self) -> dict[str, Any] | None:
        return read_json(self.folder / "plan.json")

    @property
    def begun(self) -> bool:
        """Without an end: it runs, or who ran it is gone."""
        return self.outcome is None and (self.folder / "stdout").exists() and not (self.folder / "ended").exists()

    @property
    def result_names(self) -> list[str]:
        return [way_file(self.ways, way) for way in self.ways] or ["result.json"]

    def results(self) -> dict[str, dict[str, Any]]:
        """By way; of a point of one way by "" or that way's name. Empty: not all of them are there."""
        found = {way: read_json(self.folder / way_file(self.ways, way)) for way in self.ways or [""]}
        return {} if None in found.values() else found  # type: ignore[return-value]

    def result(self) -> dict[str, Any] | None:
        """Of the first way, which mostly is the only one."""
        return next(iter(self.results().values()), None)

    @property
    def done(self) -> bool:
        outcome = self.outcome
        sums = outcome.get("results") if outcome is not None else None
        if outcome is None or outcome.get("status") != "ok" or not isinstance(sums, dict):
            return False
        return all(sums.get(name) == whole_digest(self.folder / name) is not None for name in self.result_names)


def whole_digest(path: Path) -> str | None:
    """SHA-256 of a result file that is whole; None: it is not."""
    try:
        if path.stat().st_size > JSON_LIMIT:
            return None
        data = path.read_bytes()
        result = json.loads(data)
    except (OSError, ValueError, RecursionError):
        return None
    return hashlib.sha256(data).hexdigest() if isinstance(result, dict) and is_whole(result) else None


@dataclass
class Campaign:
    folder: Path
    name: str
    kind: str
    created: str
    meshway: dict[str, Any]
    seed: int
    repetitions: int
    options: dict[str, Any]
    points: list[Point]

    @property
    def median_calibration_s(self) -> float | None:
        times = [t for p in self.points if (t := (p.outcome or {}).get("calibration_s")) is not None]
        return statistics.median(times) if times else None


def drifted(calibration_s: float | None, median_s: float | None) -> bool:
    return bool(calibration_s and median_s and abs(calibration_s / median_s - 1) > DRIFT)


def load(folder: Path | str) -> Campaign:
    """The campaign in a directory; SweepError where there is none, or one of another format."""
    folder = Path(folder).absolute()
    path = folder / "campaign.json"
    document = read_json(path)
    if document is None:
        if not folder.is_dir():
            raise SweepError(NO_INPUT, f"{folder}: there is no such directory")
        if not path.exists():
            raise SweepError(NO_INPUT, f"{folder}: is no campaign, it has no campaign.json; 'meshway sweep' makes one")
        raise SweepError(DATA, f"{path}: is no whole JSON document")
    if document.get("format") != FORMAT:
        raise SweepError(DATA, f"{path}: has format {document.get('format')!r}, but this program reads {FORMAT}")
    try:
        points = [Point(folder / "points" / checked_hash(p["hash"]), p["hash"], dict(p["axes"]),
                        int(p["repetition"]), [str(w) for w in p["ways"]], [str(a) for a in p["argv"]])
                  for p in document["points"]]
        campaign = Campaign(folder, str(document["name"]), str(document["kind"]), str(document["created"]),
                            dict(document["meshway"]), int(document["seed"]), int(document["repetitions"]),
                            dict(document["options"]), points)
    except (KeyError, TypeError, ValueError) as e:
        raise SweepError(DATA, f"{path}: is damaged: {e!r}") from None
    median = campaign.median_calibration_s
    for point in campaign.points:
        point.drifted = drifted((read_json(point.folder / "outcome.json") or {}).get("calibration_s"), median)
    return campaign


def checked_hash(text: Any) -> str:
    """A name from a file becomes a path: nothing but a hash will do."""
    if not isinstance(text, str) or HASH.match(text) is None:
        raise ValueError(f"{text!r} is no hash of a point")
    return text


def save(campaign: Campaign, plans: dict[str, dict[str, Any]]) -> None:
    """A new directory, with a plan for each point. campaign.json comes last: a crash in between leaves
    no campaign."""
    try:
        campaign.folder.mkdir()
    except FileExistsError:
        # Empty, or cut off before it became a campaign: both are nothing that could be lost.
        if {p.name for p in campaign.folder.iterdir()} - {"points", "lock"}:
            raise SweepError(CANNOT_CREATE, f"{campaign.folder}: exists already; "
                             f"'meshway sweep resume {campaign.folder}' goes on with a campaign") from None
    if campaign.options["pass-environment"]:  # cmd.json and the scripts of jobs hold values of these variables
        campaign.folder.chmod(0o700)
    (campaign.folder / "points").mkdir(exist_ok=True)
    points = [{"hash": p.hash, "axes": p.axes, "repetition": p.repetition, "ways": p.ways, "argv": p.argv}
              for p in campaign.points]
    for point in campaign.points:
        point.folder.mkdir(exist_ok=True)
        write_json(point.folder / "plan.json", plans[point.hash])
    write_json(campaign.folder / "campaign.json", {
        "format": FORMAT, "name": campaign.name, "kind": campaign.kind, "created": campaign.created,
        "meshway": campaign.meshway, "seed": campaign.seed, "repetitions": campaign.repetitions,
        "options": campaign.options, "points": points})


class Lock:
    """One runner per campaign. flock() belongs to the open file, so it ends with the process however
    that ends, and no stale lock has to be recognised."""

    def __init__(self, folder: Path):
        self.path = folder / "lock"

    def __enter__(self) -> "Lock":
        self.fd = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)
        try:
            fcntl.flock(self.fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as e:
            holder = os.read(self.fd, 32).decode(errors="replace").strip()
            os.close(self.fd)
            if e.errno not in (errno.EWOULDBLOCK, errno.EACCES):
                raise
            raise SweepError(INTERRUPTED, f"{self.path.parent}: is being run by process {holder or '?'}; "
                             "wait for it, or end it") from None
        os.ftruncate(self.fd, 0)
        os.pwrite(self.fd, f"{os.getpid()}\n".encode(), 0)
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.fd)
