"""collect.py -- takes in what batch jobs have left: checked, and written down as the runner would.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from typing import Any

from .. import campaign as files
from ..campaign import Campaign, Point
from ..runner import complaint, keep, put_aside, utc_now


def prepare(campaign: Campaign, plans: dict[str, dict[str, Any]]) -> None:
    """Before the jobs: what each point is to run; what is refused is not asked for."""
    for point in campaign.points:
        plan = plans[point.hash]
        if plan["code"] != 0:
            keep(point, {"status": "refused", "code": plan["code"], "signal": None, "cause": plan["cause"],
                         "started": utc_now(), "wall_s": None, "calibration_s": None, "drifted": False},
                 campaign.meshway["sha256"], False)
            continue
        write_command(campaign, point)


def write_command(campaign: Campaign, point: Point) -> None:
    files.write_json(point.folder / "cmd.json", {
        "argv": point.argv, "environment": campaign.options["job_environment"], "axes": point.axes,
        "repetition": point.repetition, "ways": point.ways, "launcher": campaign.options["launcher"],
        "meshway": {k: campaign.meshway[k] for k in ("version", "commit", "sha256")}})


def make_ready(campaign: Campaign) -> list[Point]:
    """The points that a job should run; tries of theirs that are known to have failed stand aside."""
    points = missing(campaign)
    for point in points:
        if (point.folder / "outcome.json").exists():
            put_aside(point)
            write_command(campaign, point)
    return points


def missing(campaign: Campaign) -> list[Point]:
    """Those that a job should run."""
    return [p for p in campaign.points if not p.done and (p.outcome or {}).get("status") != "refused"]


def ended(point: Point) -> tuple[int, str, float] | None:
    """Code, begin and seconds, as the job's script noted them."""
    try:
        code, started, seconds = (point.folder / "ended").read_text().split("\n")[:3]
        return int(code), started, float(seconds)
    except (OSError, ValueError):
        return None


def take_in(campaign: Campaign) -> int:
    """How many points have something new."""
    n = 0
    for point in missing(campaign):
        end = ended(point)
        if (point.folder / "outcome.json").exists() and (point.outcome or {}).get("status") != "ok":
            continue  # taken in already; a new try moves it aside
        whole = all(files.whole_digest(point.folder / name) and
                    files.checksum_holds((point.folder / name).read_bytes()) for name in point.result_names)
        if not whole and end is None:
            continue
        code, started, seconds = end or (None, None, None)
        cause = None if whole else complaint(point.folder / "stderr") or f"ended with code {code} and said nothing"
        status = "ok" if whole else "interrupted" if code in (files.INTERRUPTED, 143, 138) else "failed"
        used = (point.result() or {}).get("configuration", {})
        keep(point, {"status": status, "code": code, "signal": None, "cause": cause, "started": started,
                     "wall_s": seconds, "calibration_s": None, "drifted": False},
             campaign.meshway["sha256"], bool(used.get("oversubscribed")))
        n += 1
    return n
