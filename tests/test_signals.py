#!/usr/bin/env python3
"""test_signals.py -- the kill matrix: signal x phase x rank, and what is left behind.

Usage: test_signals.py MESHWAY [MPIEXEC]

A run is brought to a phase (its own progress lines say so), one process of it gets a signal, and the
exit code, the message and the files are looked at. Nothing is timed: every wait is for a condition,
and its limit is for hangs. Where time itself is the subject it only has to be long enough.
"""
import glob
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

meshway = os.path.abspath(sys.argv[1])
mpiexec = sys.argv[2] if len(sys.argv) > 2 else ""
HANG = 900  # seconds that nothing here takes
failed = 0
checked = 0


def wrong(what):
    global failed
    failed += 1
    print("WRONG:", what, file=sys.stderr)


def until(what, condition):
    """Polls; False when it does not come true."""
    end = time.monotonic() + HANG
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    wrong("never: " + what)
    return False


def children_of(pid):
    """All descendants that are this program, by rank."""
    parent = {}
    for stat in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(stat) as f:
                text = f.read()
        except OSError:
            continue
        parent[int(text.split()[0])] = int(text.rsplit(")", 1)[1].split()[1])
    ranks = {}
    for one in parent:
        up = one
        while up in parent and up != pid:
            up = parent[up]
        if up != pid:
            continue
        try:
            if os.path.realpath(f"/proc/{one}/exe") != os.path.realpath(meshway):
                continue
            with open(f"/proc/{one}/environ", "rb") as f:
                env = dict(e.split(b"=", 1) for e in f.read().split(b"\0") if b"=" in e)
        except OSError:
            continue
        ranks[int(env.get(b"PMI_RANK", b"0"))] = one
    return ranks


def alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as f:
            return f.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


class Run:
    """One run in a folder of its own."""

    def __init__(self, *options, ranks=0, command=("run", "12", "--roots", "200000")):
        self.folder = tempfile.mkdtemp()
        self.err_file = os.path.join(self.folder, "err")
        words = [mpiexec, "-n", str(ranks)] if ranks else []
        words += [meshway, *command]
        if command[0] == "run":
            words += ["--json", "r.json", "--progress", "json", *options]
        else:
            words += options
        self.name = " ".join(words[1:] if ranks else words[1:])
        with open(self.err_file, "wb") as err:
            # As in a terminal: what starts this test may have them ignored, as nohup has HUP.
            self.process = subprocess.Popen(
                words, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=err, start_new_session=True,
                preexec_fn=lambda: [signal.signal(s, signal.SIG_DFL) for s in (signal.SIGINT, signal.SIGHUP)])
        self.n_ranks = ranks or 1

    def err(self):
        with open(self.err_file, errors="replace") as f:
            return f.read()

    def reach(self, phase, searches=3):
        """Until the phase, or so many searches, are announced; False if the run ended before."""
        text = f'"done":{searches},' if phase == "search" else f'"phase":"{phase}"'
        until(f"{self.name}: {phase}", lambda: text in self.err() or self.process.poll() is not None)
        if self.process.poll() is None:
            self.pid = children_of(self.process.pid) if self.n_ranks > 1 else {0: self.process.pid}
            return len(self.pid) == self.n_ranks
        return False

    def end(self):
        try:
            return self.process.wait(HANG)
        except subprocess.TimeoutExpired:
            wrong(f"{self.name}: does not end: {self.err()[-400:]}")
            os.killpg(self.process.pid, signal.SIGKILL)
            for pid in getattr(self, "pid", {}).values():
                try:
                    os.kill(pid, signal.SIGKILL)
                except OSError:
                    pass
            return self.process.wait()

    def result(self):
        """The result file, whole, or None."""
        path = os.path.join(self.folder, "r.json")
        if not os.path.exists(path):
            return None
        try:
            with open(path) as f:
                return json.load(f)
        except ValueError as why:
            wrong(f"{self.name}: half a result: {why}")
            return None

    def check(self, what, codes, says=(), at_least=None, litter=True):
        """Exit code, words of the message, searches that are kept."""
        global checked
        checked += 1
        code = self.end()
        what = f"{what}: {self.name}"
        said = [line for line in self.err().split("\n") if not line.startswith("{")]
        if code not in codes:
            wrong(f"{what}: code {code}, expected {codes}; " + "; ".join(said)[-600:])
        for text in says:
            if text not in self.err():
                wrong(f"{what}: does not say '{text}' but: " + "; ".join(said)[-600:])
        result = self.result()
        if result is not None and result["status"] not in ("ok", "interrupted"):
            wrong(f"{what}: status {result['status']}")
        if at_least is not None and (result is None or len(result["searches"]) < at_least):
            wrong(f"{what}: keeps {'nothing' if result is None else len(result['searches'])}")
        if litter:
            left = glob.glob(os.path.join(self.folder, ".meshway-*"))
            if left:
                wrong(f"{what}: leaves {left}")
        if self.n_ranks > 1 and hasattr(self, "pid"):
            until(f"{what}: all ranks are gone", lambda: not any(map(alive, self.pid.values())))
        shutil.rmtree(self.folder, ignore_errors=True)


def ended(code):
    """What mpiexec makes of ranks that leave together with this code: Hydra ends the last ones when it sees
    the first go, by HUP (1) or KILL (9), and returns the codes ORed, or the signal's number."""
    return [code, 1, 9, code | 1, code | 9]


def one_process():
    """Asked once it ends with 75, asked twice at once with 128 + the signal."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGXCPU):
        run = Run()
        if run.reach("search"):
            os.kill(run.process.pid, number)
        run.check(f"{number.name}", [75], [number.name, "what is finished is in r.json"], at_least=3)
    run = Run()
    if run.reach("search"):
        os.kill(run.process.pid, signal.SIGKILL)
    run.check("KILL keeps what is finished from the first root on", [-9], at_least=1, litter=False)
    for phase in ("generation", "construction"):
        run = Run(command=("run", "16", "--roots", "200000"))
        if run.reach(phase):
            os.kill(run.process.pid, signal.SIGTERM)
        run.check("TERM", [75], ["SIGTERM"])
    run = Run("--timeout", "1")
    run.check("--timeout", [75], ["--timeout"])


def second_signal():
    for number in (signal.SIGINT, signal.SIGTERM):
        folder = tempfile.mkdtemp()
        fifo = os.path.join(folder, "fifo")
        os.mkfifo(fifo)
        reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
        run = Run(command=("gen", "16", fifo))
        # It has written something, and nobody reads on: a full pipe.
        until("gen: fills the pipe", lambda: pipe_is_full(reader) or run.process.poll() is not None)
        os.kill(run.process.pid, number)
        end = time.monotonic() + HANG
        while run.process.poll() is None and time.monotonic() < end:
            time.sleep(0.3)  # one that is sent twice in a moment counts once
            try:
                os.kill(run.process.pid, number)
            except OSError:
                pass
        run.check(f"second {number.name}", [128 + number])
        os.close(reader)
        shutil.rmtree(folder)


def pipe_is_full(reader):
    import array
    import fcntl
    import termios
    held = array.array("i", [0])
    fcntl.ioctl(reader, termios.FIONREAD, held)
    return held[0] >= fcntl.fcntl(reader, 1032)  # F_GETPIPE_SZ


def commands():
    """Commands without ranks leave nothing either."""
    run = Run(command=("gen", "24", "g.bin"))
    until("gen: writes", lambda: glob.glob(os.path.join(run.folder, ".meshway-*")) or
          run.process.poll() is not None)
    os.kill(run.process.pid, signal.SIGTERM)
    run.check("TERM", [75], ["no file was written"])
    if "layout sim" not in subprocess.run([meshway, "--commands"], capture_output=True, text=True, check=True).stdout:
        return
    layout = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "share", "layouts",
                          "paper.layout")
    for number in (signal.SIGINT, signal.SIGTERM):
        run = Run(command=("layout", "sim", layout, "--cycles", "1000000000", "--csv", "s.csv"))
        until("sim: writes", lambda: glob.glob(os.path.join(run.folder, ".meshway-*")) or
              run.process.poll() is not None)
        os.kill(run.process.pid, number)
        run.check(number.name, [-number])


def ranks_asked():
    """One rank is asked, and all end; one is killed, and what was finished is there."""
    for rank in (0, 1):
        for number in (signal.SIGTERM, signal.SIGINT):
            run = Run(ranks=2)
            if run.reach("search"):
                os.kill(run.pid[rank], number)
            run.check(f"{number.name} to rank {rank}", ended(75), ["interrupted"], at_least=3)
        run = Run(ranks=2)
        if run.reach("search"):
            os.kill(run.pid[rank], signal.SIGKILL)
        run.check(f"KILL of rank {rank}", [9, 6], at_least=1, litter=False)  # 6: UCX misses it
    for phase in ("generation", "construction"):
        for rank in (0, 1):
            run = Run(ranks=2, command=("run", "16", "--roots", "200000"))
            if run.reach(phase):
                os.kill(run.pid[rank], signal.SIGTERM)
            run.check(f"TERM to rank {rank} in {phase}", ended(75), ["interrupted"])


def ranks_stopped():
    """A stopped rank is found out in any phase and named; what is finished is saved."""
    for rank in (0, 1):
        run = Run("--hang-timeout", "2", ranks=2)
        if run.reach("search"):
            os.kill(run.pid[rank], signal.SIGSTOP)
        run.check(f"STOP of rank {rank}", ended(70),
                  ["no progress on this host for 2 s", f"; rank {rank} (process", "stands still", "search",
                   f"rank {1 - rank} on ", "searches are finished"], at_least=3)
    run = Run("--hang-timeout", "2", "--threads", "5", ranks=5)  # where threads outnumber cores, too
    if run.reach("search"):
        os.kill(run.pid[3], signal.SIGSTOP)
    run.check("STOP of rank 3 in a crowd", ended(70), ["no progress on this host for 2 s", "; rank 3 (process"], at_least=3)
    for phase in ("generation", "construction"):
        run = Run("--hang-timeout", "2", ranks=2, command=("run", "17", "--roots", "200000"))
        if run.reach(phase):
            os.kill(run.pid[1], signal.SIGSTOP)
        run.check(f"STOP of rank 1 in {phase}", ended(70), ["no progress on this host for 2 s", "stands still"])
    for more in ([], ["--ranks-per-host", "1"]):
        # On two hosts the stopped rank has one for itself: nobody sees it, but time passes.
        run = Run("--timeout", "4", *more, ranks=2)
        if run.reach("search"):
            os.kill(run.pid[1], signal.SIGSTOP)
            run.check("STOP and --timeout", ended(75), ["--timeout of 4 s has passed", "searches are finished"]
                      + ([] if more else ["stands still"]), at_least=3)
        else:
            run.check("--timeout before the first search", ended(75))


def rank_missing():
    """A rank that never comes to MPI_Init, as one that is stopped there, does not keep the others."""
    global checked, failed
    comes = f'[ "$PMI_RANK" = 0 ] || exec sleep 60; exec "{meshway}" run 8 --json none --hang-timeout 0.2'
    begin = time.monotonic()
    run = subprocess.run([mpiexec, "-n", "2", "sh", "-c", comes], capture_output=True, text=True, timeout=50)
    checked += 1
    if "MPI has not begun for 2 s" not in run.stderr or run.returncode not in ended(70) or time.monotonic() - begin > 40:
        failed += 1
        print(f"WRONG: a rank that does not come: code {run.returncode}: {run.stderr[-300:]}")


def whole_job_stopped():
    """Time that all sleep through is nobody's fault."""
    run = Run("--hang-timeout", "1.5", ranks=2)
    if run.reach("search"):
        for pid in run.pid.values():
            os.kill(pid, signal.SIGSTOP)
        before = run.err().count('"done"')
        time.sleep(4)
        for pid in run.pid.values():
            os.kill(pid, signal.SIGCONT)
        until("it goes on", lambda: run.err().count('"done"') > before + 3 or
              run.process.poll() is not None)
        if run.process.poll() is None:
            os.kill(run.pid[0], signal.SIGTERM)
    run.check("all stopped and woken", ended(75), ["interrupted (SIGTERM)"], at_least=3)


def launcher():
    """INT to mpiexec is INT to the ranks, and a second one loses nothing; neither does its end."""
    run = Run(ranks=2)
    if run.reach("search"):
        os.kill(run.process.pid, signal.SIGINT)
    run.check("INT to mpiexec", range(256), ["interrupted (SIGINT)"], at_least=3)  # its own affair
    # A search that does not end: INT once to mpiexec, the finished ones are saved, INT again.
    run = Run("--hang-timeout", "0", ranks=2)
    if run.reach("search"):
        os.kill(run.pid[1], signal.SIGSTOP)
        until("rank 1 stops", lambda: state_of(run.pid[1]) == "T")
        n = settled(lambda: run.err().count('"done"'))
        os.kill(run.process.pid, signal.SIGINT)
        until("INT saves what is finished",
              lambda: run.result() is not None and len(run.result()["searches"]) >= n)
        os.kill(run.process.pid, signal.SIGINT)
        run.end()
        for pid in run.pid.values():
            if alive(pid):
                os.kill(pid, signal.SIGKILL)  # which Hydra 4.0 does not do to a stopped one
        run.check("INT twice to mpiexec", [255, 2, 9, 130, 137], at_least=n, litter=False)
    run = Run(ranks=2)
    if run.reach("search"):
        os.kill(run.process.pid, signal.SIGKILL)
    run.check("KILL of mpiexec", [-9], at_least=1, litter=False)  # Hydra kills the ranks
    # Its proxy is the ranks' parent: without it nobody would ever end them.
    run = Run(ranks=2)
    if run.reach("search"):
        os.kill(parent_of(run.pid[0]), signal.SIGKILL)
    run.check("KILL of the ranks' parent", range(1, 256), at_least=3)


def state_of(pid):
    try:
        with open(f"/proc/{pid}/stat") as f:
            return f.read().rsplit(")", 1)[1].split()[0]
    except OSError:
        return ""


def parent_of(pid):
    with open(f"/proc/{pid}/stat") as f:
        return int(f.read().rsplit(")", 1)[1].split()[1])


def settled(value):
    """A count that has stopped growing."""
    last, same = value(), 0
    while same < 10:
        time.sleep(0.05)
        now = value()
        same, last = (same + 1 if now == last else 0), now
    return last


parts = [one_process, second_signal, commands]
if mpiexec:
    parts += [ranks_asked, ranks_stopped, rank_missing, whole_job_stopped, launcher]
wanted = sys.argv[3:]
for part in parts:
    if not wanted or part.__name__ in wanted:
        begin = time.monotonic()
        part()
        print(f"{part.__name__}: {time.monotonic() - begin:.1f} s")
print(f"{checked} runs, {failed} wrong")
sys.exit(1 if failed else 0)
