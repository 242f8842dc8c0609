#!/usr/bin/env python3
"""kills.py MESHWAY [CAMPAIGNS [POINTS]] -- campaigns of which something is killed at a random moment: the
runner, mpiexec or a rank, by KILL, TERM or INT. Each is then resumed. Counts those that complete, points
that ran again though they had a valid result, and files that were cut off.
"""
import json
import os
import random
import signal
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))


def processes_of(folder):
    """Those that were started from a bench, by what stands in their command line."""
    found = []
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            words = Path("/proc", name, "cmdline").read_bytes().split(b"\0")
            dead = Path("/proc", name, "stat").read_text().rsplit(")", 1)[1].split()[0] in "ZX"
        except OSError:
            continue
        programs = (os.fsencode(folder / "meshway"), os.fsencode(folder / "mpiexec"))
        if not dead and any(w in programs for w in words[:3]) and b"meshway_sweep" not in words:
            found.append(int(name))
    return sorted(found)


def one_of(folder, program):
    """The newest."""
    end = time.monotonic() + 900
    while time.monotonic() < end:
        for pid in reversed(processes_of(folder)):
            try:
                if os.fsencode(folder / program) in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[:3]:
                    return pid
            except OSError:
                pass
        time.sleep(0.01)
    raise AssertionError(f"no {program} runs")


def torn(folder):
    """Files of a campaign that are neither whole nor a temporary that nobody reads."""
    found = []
    for path in Path(folder).rglob("*.json"):
        if path.name.startswith("."):
            continue
        try:
            json.loads(path.read_bytes())
        except ValueError:
            found.append(path)
    return found


def campaigns(new_bench, n, n_points, seed, say):
    from meshway_sweep import campaign as files
    dice = random.Random(seed)
    n_hit = n_twice = n_torn = n_done = 0
    for i in range(n):
        bench = new_bench(delay=0.02)
        sweep = bench.start("free", "--scale", f"1..{n_points // 2}", "--ranks", "1,2", "--oversubscribe", "--grace",
                            "2", "-o", "c")
        while not (bench.folder / "c" / "campaign.json").exists() and sweep.poll() is None:
            time.sleep(0.005)
        # After so many points, and somewhere in the next one or between two.
        some = dice.randrange(n_points)
        while len(bench.log("begin")) < some and sweep.poll() is None:
            time.sleep(0.005)
        time.sleep(dice.random() * 0.3)
        what = dice.choice(["runner", "mpiexec", "meshway"])
        number = dice.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
        hit = False
        while not hit and sweep.poll() is None:
            victims = [sweep.pid] if what == "runner" else [
                p for p in processes_of(bench.folder) if os.fsencode(bench.folder / what) in words_of(p)[:3]]
            try:
                os.kill(dice.choice(victims), number)
                hit = True
            except (IndexError, ProcessLookupError):
                pass  # between two points: one will come
        n_hit += hit
        if what == "runner":
            sweep.communicate()
        elif dice.random() < 0.5:  # the runner as well, while it sees to that
            sweep.kill()
        sweep.communicate()
        n_torn += len(torn(bench.folder / "c"))
        bench.behave()
        code, _, err = bench.sweep("resume", "c")
        campaign = files.load(bench.folder / "c")
        done = code == 0 and all(p.done for p in campaign.points) and len(campaign.points) == n_points
        ends = bench.log("end")
        twice = len(ends) - len(set(ends))
        left = processes_of(bench.folder)
        n_done, n_twice, n_torn = n_done + done, n_twice + twice, n_torn + len(torn(bench.folder / "c"))
        say(f"{i + 1:4} {what:8} {signal.Signals(number).name:8} code {code}, {len(ends)} ends, {twice} twice")
        assert done, (what, number, code, err)
        assert twice == 0 and left == [], (what, number, left, ends)
        bench.remove()
    assert n_torn == 0, n_torn
    say(f"{n} campaigns of {n_points} points, {n_hit} hit while they ran: {n_done} complete after resume, "
        f"{n_twice} points run again though valid, {n_torn} torn files (seed {seed})")


def words_of(pid):
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return []


if __name__ == "__main__":
    from sweep.standin import Bench
    program = os.path.abspath(sys.argv[1])
    campaigns(lambda **b: Bench(program, **b), int(sys.argv[2]) if len(sys.argv) > 2 else 100,
              int(sys.argv[3]) if len(sys.argv) > 3 else 20, random.randrange(1 << 30),
              lambda text: print(text, flush=True))
