"""cli.py -- the verbs of `meshway sweep`.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import datetime
import os
from pathlib import Path
from typing import Any

from . import campaign as files
from . import machine, options, points, process
from .campaign import Campaign, Lock, SweepError
from .launchers import batch, collect as collecting
from .options import Table, plural, wrong
from .plan import ON_DEVICES, origin, why_untimed
from .progress import duration, label, say
from .runner import Runner, World, draft, launcher_of, world_of

COUNTED = ("ok", "failed", "timeout", "refused", "interrupted", "begun, no end", "not run")
TO_COME = COUNTED[-3:]


def main(program: str, words: list[str]) -> int:
    tables = options.tables(program)
    verb, rest = words[0], words[1:]
    if verb in points.KINDS or verb == "run":
        return create(program, tables, verb, rest)
    return {"plan": plan, "resume": resume, "status": status, "collect": collect}[verb](program, tables, rest)


# --- what is asked for --------------------------------------------------------------------------


def read_sweep(tables: dict[str, Table], verb: str, words: list[str]) -> points.Sweep:
    own = tables[f"sweep {verb}"]
    given = options.parse(words, own, tables["run"])
    environment = dict(os.environ)
    kind = verb
    if verb in ("run", "plan"):
        operand = given.own.pop("file" if verb == "run" else "of")[0]
        if verb == "run" or operand not in points.KINDS:
            return points.from_file(operand, given, own, tables["run"], environment)
        kind = operand
    return points.from_command_line(kind, given, own, tables["run"], environment)


def prepare(program: str, tables: dict[str, Table], asked: points.Sweep, folder: Path
            ) -> tuple[Campaign, dict[str, dict[str, Any]], World]:
    world = world_of(program, tables, asked.own["pass-environment"])
    if asked.own["launcher"] != "mpiexec":
        return prepare_jobs(asked, world, folder)
    launcher = launcher_of(asked.own, world)
    cores = machine.n_cores() if launcher.one_host else None

    def command(spec: points.Spec) -> list[str]:
        ranks = spec.axes["ranks"]
        if launcher.path is None and ranks > 1:
            raise wrong(f"--ranks {ranks}: " + ("this build has no MPI, so it runs on one rank" if "MPICH" not in
                        world.program.mpi and "MPI" not in world.program.mpi else
                        "there is no mpiexec in PATH; --mpiexec names one"))
        return launcher.command(ranks, cores is not None and ranks > cores)

    campaign, plans = draft(asked, world, folder, command, cores)
    return campaign, plans, world


def prepare_jobs(asked: points.Sweep, world: World, folder: Path
                 ) -> tuple[Campaign, dict[str, dict[str, Any]], World]:
    own = asked.own
    system = batch.system_named(own["launcher"])
    for line in own["batch-line"]:
        batch.check_line(system, line)
    preamble = batch.read_preamble(asked.folder / own["preamble"]) if own["preamble"] else ""
    own["ranks-per-node"] = batch.most_per_node(system, own)
    ask_for_devices(asked, system)
    if not own["node-memory"]:
        say("meshway: note: memory of the nodes not known (--node-memory): nothing was refused")
    campaign, plans = draft(asked, world, folder, lambda spec: system.command(
        batch.shape_of(system, spec.axes, own), own, world.program.mpi), None)
    needed = {k: v for k, v in world.other.items() if k in ("PATH", "LD_LIBRARY_PATH") or k not in machine.USUAL}
    campaign.options["job_environment"] = {**needed, **world.relevant}
    campaign.options.update(preamble_text=preamble, mpi=world.program.mpi)
    batch.jobs_of(system, campaign, campaign.points)  # refuses what cannot stand in a script, before anything is written
    return campaign, plans, world


def backends_of(options_: dict[str, Any]) -> list[str]:
    return [*options_["axes"].get("backend", []), *options_["ways"].get("backend", [])]


def say_times(campaign: Campaign, plans: dict[str, dict[str, Any]]) -> None:
    """What is known of time before anything runs, by what, and what will be cut off."""
    own, runs = campaign.options, [p for p in plans.values() if p["code"] == 0]
    untimed = [p for p in runs if p["time_s"] is None]
    if own["launcher"] != "mpiexec" and len(untimed) < len(runs):
        say(f"meshway: note: times are modelled: {origin(runs)}")
    if own["launcher"] != "mpiexec" and untimed:
        some = f" of {len(untimed)} of {len(runs)} points" if len(untimed) < len(runs) else ""
        say(f"meshway: note: time not known{some}: {why_untimed(untimed[0]['text'], backends_of(own))}")
    if late := sum(1 for p in runs if (p["time_s"] or 0) > own["wall-limit"]):
        say(f"meshway: warning: {plural(late, 'point')} {'is' if late == 1 else 'are'} predicted to take longer than "
            f"--wall-limit ({own['wall-limit']:g} s)")


def ask_for_devices(asked: points.Sweep, system: batch.System) -> None:
    """A job has the devices that it asks for: one for each rank, unless the user says otherwise."""
    on_devices = [b for b in backends_of({"axes": asked.axes, "ways": asked.ways}) if b in ON_DEVICES]
    if on_devices and asked.own["gpus-per-rank"] is None and not system.core_groups:
        asked.own["gpus-per-rank"] = 1
        say(f"meshway: note: --backend {on_devices[0]} searches on devices: jobs ask for one for each rank "
            "(--gpus-per-rank)")


def create(program: str, tables: dict[str, Table], verb: str, words: list[str]) -> int:
    asked = read_sweep(tables, verb, words)
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%dT%H%M%SZ")
    folder = Path(asked.own["out"] or f"sweep-{asked.kind}-{now}").absolute()
    if (folder / "campaign.json").exists():
        raise SweepError(files.CANNOT_CREATE, f"{folder}: is a campaign already; 'meshway sweep resume "
                         f"{folder}' goes on with it, another --out begins one")
    campaign, plans, world = prepare(program, tables, asked, folder)
    try:
        files.save(campaign, plans)
    except OSError as e:
        raise SweepError(files.CANNOT_CREATE, f"{folder}: {e.strerror}") from None
    n = len(campaign.points)
    say(f"meshway: {options.plural(n, 'point')} in {folder}, in the order of seed {campaign.seed}"
        + time_said(plans))
    say_times(campaign, plans)
    if asked.own["launcher"] != "mpiexec":
        collecting.prepare(campaign, plans)
        return hand_over(campaign, asked.own["submit"])
    return run(campaign, world, asked.own)


def hand_over(campaign: Campaign, at_once: bool) -> int:
    """Scripts for what is missing, and what to do with them."""
    missing = collecting.make_ready(campaign)
    system = batch.system_named(campaign.options["launcher"])
    scripts = batch.write(system, campaign, missing)
    while scripts and at_once:
        try:
            for line in batch.submit(system, scripts[0]):
                print(f"submitted: {line}", flush=True)
        except SweepError:
            print_left(system, scripts)
            raise
        scripts = scripts[1:]
    print_left(system, scripts)
    counts = count(campaign)
    print(f"campaign:  {campaign.folder}\npoints:    {summary(counts)}")
    print(f"next:      meshway sweep collect {campaign.folder}")
    return files.OK if missing else code_of(campaign, counts)


def print_left(system: batch.System, scripts: list[Path]) -> None:
    for script in scripts:
        print(f"submit:    {batch.shell_line(system, script)}")


def check_queue(campaign: Campaign, at_once: bool) -> None:
    """A point that a queued job will run is not to be run by a second one."""
    queued = batch.still_queued(batch.system_named(campaign.options["launcher"]), campaign)
    if queued is None:
        say(f"meshway: warning: jobs were submitted before ({campaign.folder}/batch/submitted), and nothing here tells "
            "whether they are through; those that are not will run the same points")
    elif queued:
        said = (f"{campaign.folder}: {plural(len(queued), 'job')} of this campaign {'is' if len(queued) == 1 else 'are'} "
                f"still queued ({', '.join(queued)})")
        if at_once:
            raise SweepError(files.INTERRUPTED, f"{said}, and would run the same points: --submit when squeue has none, "
                             "or end them by scancel")
        say(f"meshway: warning: {said}: submit only when squeue has none")


def time_said(plans: dict[str, dict[str, Any]]) -> str:
    times = [p["time_s"] for p in plans.values() if p["code"] == 0]
    return f"; about {duration(sum(times))}" if times and None not in times else ""


def resume(program: str, tables: dict[str, Table], words: list[str]) -> int:
    own = tables["sweep resume"]
    given = options.parse(words, own)
    asked = options.settings(given, own, os.environ.items())
    campaign = files.load(asked["campaign"])
    limits = {**campaign.options, **{k: asked[k] for k in given.own if k in asked}}
    if campaign.options["launcher"] != "mpiexec":
        with Lock(campaign.folder):
            collecting.take_in(campaign)
            check_queue(campaign, asked["submit"])
            campaign.options["wall-limit"] = limits["wall-limit"]
            return hand_over(campaign, asked["submit"])
    if asked["submit"]:
        raise wrong(f"--submit: {campaign.folder} is run by mpiexec, not by a batch system")
    world = world_of(same_program(campaign, program, asked["allow-mixed"]), tables,
                     campaign.options["pass-environment"], campaign.options["environment"])
    return run(campaign, world, {**limits, "quiet": asked["quiet"]})


def same_program(campaign: Campaign, program: str, mixed: bool) -> str:
    """The one that the campaign began with, wherever it is now."""
    recorded, digest = campaign.options["program"], campaign.meshway["sha256"]
    for path in (recorded, program):
        if os.path.exists(path) and machine.program_at(path).sha256 == digest:
            return path
    if mixed:
        return program
    raise SweepError(files.REFUSED, f"{campaign.folder}: was begun by meshway {campaign.meshway['version']} "
                     f"({campaign.meshway['commit']}), which is not this build ({digest[:12]}); its points and "
                     "new ones would not compare: start another campaign, or say --allow-mixed")


def run(campaign: Campaign, world: World, limits: dict[str, Any]) -> int:
    with Lock(campaign.folder), process.Signals() as signals:
        Runner(campaign, world, limits, limits["quiet"]).run_all(signals)
        number = signals.number
    campaign = files.load(campaign.folder)  # as it is, with drift seen over all points
    counts = count(campaign)
    print(f"campaign:  {campaign.folder}\npoints:    {summary(counts)}")
    if number or to_come(counts):
        print(f"next:      meshway sweep resume {campaign.folder}", flush=True)
        return files.INTERRUPTED
    for point in campaign.points:
        outcome = point.outcome or {}
        if not point.done:
            print(f"{outcome.get('status', 'not run') + ':':11}{label(point, campaign.repetitions)}: "
                  f"{outcome.get('cause')}")
    print(f"next:      meshway sweep resume {campaign.folder}, with a longer --wall-limit" if counts["timeout"] else
          f"next:      meshway report {campaign.folder}", flush=True)
    return code_of(campaign, counts)


# --- what there is ----------------------------------------------------------------------------


def state(point: files.Point) -> str:
    outcome = point.outcome
    status_said = "begun, no end" if point.begun else str((outcome or {}).get("status", "not run"))
    # "ok" with a result that is damaged is not: resume runs it again.
    return status_said if status_said != "ok" or point.done else "not run"


def count(campaign: Campaign) -> dict[str, int]:
    counts = dict.fromkeys(COUNTED, 0)
    for point in campaign.points:
        counts[state(point)] = counts.get(state(point), 0) + 1
    return counts


def to_come(counts: dict[str, int]) -> bool:
    return any(counts[name] for name in TO_COME)


def summary(counts: dict[str, int]) -> str:
    return ", ".join(f"{n} {name}" for name, n in counts.items() if n) or "none"


def code_of(campaign: Campaign, counts: dict[str, int]) -> int:
    """0: what could run has run. What was refused is an answer, unless nothing else is there."""
    if counts["failed"] or counts["timeout"]:
        codes = [(p.outcome or {}).get("code") for p in campaign.points if state(p) in ("failed", "timeout")]
        return next((c for c in codes if isinstance(c, int) and 64 <= c <= 78 and c != files.INTERRUPTED),
                    files.INTERNAL)
    return files.REFUSED if counts["refused"] == len(campaign.points) else files.OK


def status(program: str, tables: dict[str, Table], words: list[str]) -> int:
    own = tables["sweep status"]
    asked = options.settings(options.parse(words, own), own, os.environ.items())
    campaign = files.load(asked["campaign"])
    counts = count(campaign)
    for index, point in enumerate(campaign.points if not asked["quiet"] else []):
        outcome = point.outcome or {}
        wall = outcome.get("wall_s")
        said = [f"[{index + 1:{len(str(len(campaign.points)))}}]", f"{state(point):13}", point.hash,
                label(point, campaign.repetitions), duration(wall) if wall is not None else "",
                outcome.get("cause") or "", "[machine drifted]" if outcome.get("drifted") else ""]
        print("  ".join(filter(None, said)))
    print(f"campaign:  {campaign.folder} ({campaign.kind}, begun {campaign.created}, seed {campaign.seed})\n"
          f"points:    {summary(counts)}")
    return files.INTERRUPTED if to_come(counts) else code_of(campaign, counts)


def plan(program: str, tables: dict[str, Table], words: list[str]) -> int:
    asked = read_sweep(tables, "plan", words)
    campaign, plans, _ = prepare(program, tables, asked, Path("none").absolute())
    for index, point in enumerate(campaign.points):
        one = plans[point.hash]
        memory, time_s = one["memory_bytes_per_rank"], one["time_s"]
        said = [f"[{index + 1:{len(str(len(plans)))}}]", "runs   " if one["code"] == 0 else "refused",
                label(point, campaign.repetitions), " + ".join(point.ways),
                f"{memory / (1 << 20):.1f} MiB per rank" if memory else "",
                f"about {duration(time_s)}" if time_s is not None else "", one["cause"] or ""]
        print("  ".join(filter(None, said)))
    n = sum(1 for p in plans.values() if p["code"] == 0)
    say_times(campaign, plans)
    print(f"points:    {n} would run{time_said(plans)}, {len(plans) - n} refused (seed {campaign.seed})")
    return files.OK if n else files.REFUSED


def collect(program: str, tables: dict[str, Table], words: list[str]) -> int:
    own = tables["sweep collect"]
    asked = options.settings(options.parse(words, own), own, os.environ.items())
    campaign = files.load(asked["campaign"])
    if campaign.options["launcher"] == "mpiexec":
        raise wrong(f"{campaign.folder}: is run by mpiexec, there are no jobs to collect from; 'meshway sweep resume "
                    f"{campaign.folder}' goes on with it")
    with Lock(campaign.folder):
        n = collecting.take_in(campaign)
    counts = count(campaign)
    print(f"campaign:  {campaign.folder}\npoints:    {summary(counts)}; {n} new")
    if to_come(counts):
        print(f"next:      meshway sweep collect {campaign.folder}, when more jobs are through; only when squeue is empty: "
              "'meshway sweep resume' writes scripts for what is missing")
        return files.INTERRUPTED
    print(f"next:      meshway report {campaign.folder}")
    return code_of(campaign, counts)
