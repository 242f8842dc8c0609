"""standin.py -- programs that behave like meshway and mpiexec, as far as a sweep can see, in
milliseconds; what they are to do wrong stands in a file beside them.

    folder/meshway    writes a valid result after `delay` seconds, and logs begin and end
    folder/mpiexec    starts ranks in sessions of their own, as Hydra does
    folder/behaviour  JSON: see BEHAVIOUR
    folder/log        a line for each begin and end of a run
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent.parent
TOOLS = Path(os.environ.get("MW_SWEEP_TOOLS") or SOURCE / "tools")
sys.path.insert(0, str(TOOLS))

BEHAVIOUR = {
    "delay": 0.0,  # seconds between begin and result
    "code": {},  # by SCALE: ends with this code, and a sentence, instead of a result
    "once": {},  # the same, the first time only
    "no_result": [],  # SCALEs of runs that end with 0 and write nothing
    "stubborn": [],  # SCALEs of runs that never end and ignore TERM
    "refuse": {},  # by SCALE: what `plan` says, with code 78
    "plan": "",  # more of what `plan` says
    "refuse_resume": False,  # ends with 65 where it is to go on from a result
    "digest": "",  # makes it another binary
}

MESHWAY = '''#!%(python)s -S
import json, os, signal, sys, time
folder, words = %(folder)r, sys.argv[1:]
with open(folder + "/behaviour") as f: do = json.load(f)
def option(name, default=None):
    return words[words.index(name) + 1] if name in words else default
def log(what):
    with open(folder + "/log", "a") as f:
        f.write("%%s %%s %%s\\n" %% (what, os.path.basename(os.getcwd()), os.getpid()))
def leave(code, text=""):
    if text: sys.stderr.write("meshway: " + text + "\\n")
    sys.exit(code)
scale = option("--scale", "0")
if words[:1] == ["--options"]:
    sys.stdout.write(open(folder + "/options").read()); sys.exit(0)
if words[:1] == ["--version"]:
    print(json.dumps({"version": "0", "commit": "c0ffee", "dirty": False, "mpi": "MPICH stand-in"})); sys.exit(0)
if words[0] == "plan":
    if scale in do["refuse"]: leave(78, do["refuse"][scale])
    print("peak        %%.1f MiB per rank, 45.2 MiB per host\\nverdict     fits" %% (45.2 / int(option("--ranks", "1"))) + do["plan"])
    sys.exit(0)
if "--print-config" in words: sys.exit(0)
rank = int(os.environ.get("PMI_RANK", "0"))
stop = []
signal.signal(signal.SIGTERM, lambda *a: stop.append(1))
if rank == 0 and "probe.json" not in words: log("begin")
print("SCALE: " + scale)
sys.stderr.write("environment " + " ".join(sorted(os.environ)) + "\\n")
if "probe.json" in words: do["delay"], do["stubborn"] = 0, []
end = time.monotonic() + do["delay"]
while time.monotonic() < end or scale in do["stubborn"]:
    if stop and scale not in do["stubborn"]: leave(75, "interrupted (SIGTERM)")
    time.sleep(0.005)
if scale in do["once"] and not os.path.exists(folder + "/once" + scale):
    if rank == 0: open(folder + "/once" + scale, "w").close()
    leave(do["once"][scale], "as told, once")
if scale in do["code"]: leave(do["code"][scale], "as told")
if do["refuse_resume"] and "--resume" in words: leave(65, "it is another's")
if rank != 0: time.sleep(do["delay"] / 2); sys.exit(0)
if scale in do["no_result"]: sys.exit(0)
def write(name, way):
    text = json.dumps({"$schema": "urn:meshway:result:2", "schema_version": 2, "status": "ok", "way": way,
        "validation": {"level": "full", "roots_checked": 4, "passed": True},
        "graph": {"scale": int(scale), "n_edges": 16 << int(scale), "generation_s": 0.001, "construction_s": 0.001},
        "configuration": {"n_ranks": 1, "cores": len(os.sched_getaffinity(0)), "omp": os.environ.get("OMP_NUM_THREADS")}, "statistics": {"teps": {"harmonic_mean": 1e9}},
        "provenance": {"elapsed_s": 0.5, "argv": sys.argv}, "searches": [{"time_s": 1e-5, "validate_s": 1e-5}]}, indent=1)
    text = text[:-2] + ",\\n"
    sum = 0xCBF29CE484222325
    for b in text.encode(): sum = (sum ^ b) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    text += ' "checksum": "fnv1a64:%%016x"\\n}\\n' %% sum
    temporary = ".%%s.%%d" %% (name, os.getpid())
    try:
        fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        with os.fdopen(fd, "w") as f: f.write(text)
        os.rename(temporary, name)
    except OSError as e:
        try: os.unlink(temporary)
        except OSError: pass
        leave(74, name + ": " + str(e.strerror))
lists = [option(o).split(",") for o in ("--direction", "--routing") if "," in option(o, "")]
ways = [[]]
for words_of in lists: ways = [w + [x] for w in ways for x in words_of]
name = option("--json")
for way in ways:
    write(name[:-5] + "".join("." * (i == 0) + "-" * (i > 0) + w for i, w in enumerate(way)) + ".json", " ".join(way))
if name == "result.json": log("end")
'''

MPIEXEC = '''#!%(python)s -S
import os, signal, subprocess, sys, time
n, words = int(sys.argv[2]), sys.argv[3:]
while words[0] != %(folder)r + "/meshway": words = words[1:]
ranks = [subprocess.Popen(words, start_new_session=True, env=dict(os.environ, PMI_RANK=str(r))) for r in range(n)]
def forward(number, frame):
    for r in ranks:
        if r.poll() is None: r.send_signal(number)
for s in (signal.SIGTERM, signal.SIGINT): signal.signal(s, forward)
code, left = 0, list(ranks)
while left:
    for r in list(left):
        c = r.poll()
        if c is None: continue
        left.remove(r)
        if c < 0 and code == 0: forward(signal.SIGKILL, None)
        code |= -c if c < 0 else c
    time.sleep(0.005)
sys.exit(code)
'''


class Bench:
    """A folder with stand-ins, in which sweeps are run."""

    def __init__(self, meshway, **behaviour):
        self.folder = Path(tempfile.mkdtemp(prefix="a sweep $(touch pwned) "))
        options = subprocess.run([meshway, "--options"], capture_output=True, text=True, check=True).stdout
        (self.folder / "options").write_text(options)
        self.behave(**behaviour)
        for name, text in (("meshway", MESHWAY), ("mpiexec", MPIEXEC)):
            path = self.folder / name
            path.write_text(text % {"python": sys.executable, "folder": str(self.folder)})
            path.chmod(0o755)

    def behave(self, **behaviour):
        text = json.dumps({**BEHAVIOUR, **behaviour})
        (self.folder / "behaviour.new").write_text(text)
        os.rename(self.folder / "behaviour.new", self.folder / "behaviour")

    def words(self, *words):
        makes = words[0] not in ("resume", "status", "collect", "report")
        others = {"slurm", "sunway"} & set(words)  # which start the ranks themselves
        mpiexec = ["--mpiexec", str(self.folder / "mpiexec")] if makes and not others else []
        return [sys.executable, "-B", "-m", "meshway_sweep", str(self.folder / "meshway"), "sweep", *words, *mpiexec]

    def environment(self, **more):
        # What whoever tests has set for runs is no part of a test.
        from meshway_sweep.machine import RELEVANT
        clean = {k: v for k, v in os.environ.items() if not k.startswith(RELEVANT)}
        return {**clean, "PYTHONPATH": str(TOOLS), **more}

    def start(self, *words, **more):
        return subprocess.Popen(self.words(*words), cwd=self.folder, env=self.environment(**more),
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)

    def sweep(self, *words, **more):
        """(code, stdout, stderr)"""
        done = subprocess.run(self.words(*words), cwd=self.folder, env=self.environment(**more),
                              capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    def campaign(self, name="c"):
        from meshway_sweep import campaign
        return campaign.load(self.folder / name)

    def log(self, what):
        """Names of the points that began, or ended, once for each time."""
        path = self.folder / "log"
        lines = path.read_text().splitlines() if path.exists() else []
        return [line.split()[1] for line in lines if line.split()[0] == what]

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)


class BenchCase(unittest.TestCase):
    meshway = ""  # the real one, for its option tables

    def bench(self, **behaviour):
        bench = Bench(self.meshway, **behaviour)
        self.addCleanup(bench.remove)
        return bench
