#!/usr/bin/env python3
"""test_batch.py MESHWAY [unittest's words] -- campaigns for batch systems: the scripts are what was looked at
once (golden/), and run under stand-ins of sbatch, qsub and bsub that do with them what these do.

    MW_GOLDEN=write test_batch.py MESHWAY Scripts    writes golden/ anew, to be looked at
"""
import os
import shutil
import signal
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from sweep.standin import MPIEXEC, BenchCase

from meshway_sweep import campaign as files

PREFIX = {"slurm": "#SBATCH", "pbs": "#PBS", "lsf": "#BSUB"}
GOLDEN = Path(__file__).parent / "golden"

# Reads the directives, runs the script once for each element, and puts elements back that ask for it.
SUBMIT = '''#!%(python)s -S
import os, re, shutil, signal, subprocess, sys, time
folder, kind = %(folder)r, os.path.basename(sys.argv[0])
if kind == "bsub" and len(sys.argv) > 1:  # a Sunway machine's: runs a program at once
    words = sys.argv[1:]
    sys.exit(subprocess.call(words[words.index(folder + "/meshway"):], stdin=subprocess.DEVNULL))
text = sys.stdin.read() if kind == "bsub" else open(sys.argv[1]).read()
form = {"sbatch": "--array=0-([0-9]+)", "qsub": "-J 0-([0-9]+)", "bsub": "\\\\[1-([0-9]+)\\\\]"}[kind]
lines = text.splitlines() # directives end where the shell's own lines begin
lines = lines[:next(i for i, l in enumerate(lines) if not l.startswith("#"))]
directives = [l for l in lines if re.match("#(SBATCH|PBS|BSUB) ", l)]
found = re.search(form, "\\n".join(directives))
last = int(found[1]) if found else 0
spool = folder + "/spool.sh"  # not where it was submitted from
open(spool, "w").write(text)
def asked():
    """What PBS tells a job of its threads."""
    chunk = next((l.split()[2] for l in directives if " -l select=" in l), "")
    fields = dict(f.split("=") for f in chunk.split(":") if f)
    threads = fields.get("ompthreads") or fields.get("ncpus")
    return {"OMP_NUM_THREADS": threads} if threads else {}
variable = {"sbatch": "SLURM_ARRAY_TASK_ID", "qsub": "PBS_ARRAY_INDEX", "bsub": "LSB_JOBINDEX"}[kind]
todo, restarts = list(range(kind == "bsub", last + 1)), {}
while todo:
    element = todo.pop(0)
    environment = {"PATH": "/usr/bin:/bin", **asked(), "SLURM_ARRAY_JOB_ID": "7", "SLURM_JOB_ID": "7", "SLURM_RESTART_COUNT": str(restarts.get(element, 0))}
    if found: environment[variable] = str(element)
    job = subprocess.Popen(["sh", spool], env=environment, cwd="/", start_new_session=True,
                           stdout=open(folder + "/job.log", "a"), stderr=subprocess.STDOUT)
    if os.path.exists(folder + "/warn"):  # the limit comes near
        while not os.path.exists(folder + "/log"): time.sleep(0.01)
        time.sleep(0.2)
        os.unlink(folder + "/warn")
        job.send_signal(signal.SIGUSR1)
    job.wait()
    if os.path.exists(folder + "/requeue"):
        os.unlink(folder + "/requeue")
        restarts[element] = restarts.get(element, 0) + 1
        todo.append(element)
print("Submitted batch job 7")
'''
# Gives each task one core, or as many as its own -c says: since 22.05 a step does not take the job's.
# TERM makes it kill its ranks; they save and end when scancel sends them TERM.
SRUN = MPIEXEC.replace("forward(number, frame):", """forward(number, frame):
    number = {signal.SIGTERM: signal.SIGKILL, signal.SIGUSR2: signal.SIGTERM}.get(number, number)""").replace(
    "for s in (", "open(%(folder)r + '/srun.pid', 'w').write(str(os.getpid()))\nfor s in (signal.SIGUSR2, ").replace("while words[0]", """cores = int(words[words.index("-c") + 1]) if "-c" in words else 1
os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])
while words[0]""", 1)
SCONTROL = '#!/bin/sh\n[ "$1" != requeue ] || echo "$@" >%(quoted)s/requeue\n'
SQUEUE = '#!/bin/sh\nexec cat %(quoted)s/queue\n'
SCANCEL = '#!/bin/sh\n[ "$1" = --signal=TERM ] && [ "$2" = 7 ] && kill -USR2 "$(cat %(quoted)s/srun.pid)"\n'


class BatchCase(BenchCase):
    def bench(self, **behaviour):
        bench = super().bench(**behaviour)
        tools = {"sbatch": SUBMIT, "qsub": SUBMIT, "bsub": SUBMIT, "srun": SRUN, "scontrol": SCONTROL, "scancel": SCANCEL,
                 "squeue": SQUEUE}
        (bench.folder / "queue").write_text("")
        for name, text in tools.items():
            fields = {"python": sys.executable, "folder": str(bench.folder),
                      "quoted": "'" + str(bench.folder) + "'"}
            (bench.folder / name).write_text(text % fields)
            (bench.folder / name).chmod(0o755)
        bench.path = f"{bench.folder}:/usr/bin:/bin"
        return bench

    def makes(self, bench, launcher, *words, **more):
        return bench.sweep("weak", "--per-rank-scale", "8", "--ranks", "1,2", "--routing", "direct,relay", "--roots", "4",
                           "--repetitions", "2", "--seed", "1", "--launcher", launcher, "-o", "c", *words,
                           PATH=bench.path, **more)


class Scripts(BatchCase):
    def test_scripts_are_as_expected(self):
        for launcher in ("slurm", "pbs", "lsf", "sunway"):
            bench = self.bench()
            more = ["--node-memory", "64Gi"] if launcher == "sunway" else [
                "--account", "graph", "--ranks-per-node", "2", "--node-memory", "64Gi", "--gpus-per-rank", "2",
                "--batch-line", f"{PREFIX[launcher]} of my own", "--preamble", "my lines.sh"]
            (bench.folder / "my lines.sh").write_text("module() { echo \"$UNSET\"; }\nmodule load mpi\n")
            code, out, err = self.makes(bench, launcher, "--queue", "short", "--threads", "3", *more,
                                        OMP_PLACES="it's $(touch pwned)")
            self.assertEqual(code, 0, err)
            self.assertIn("next:      meshway sweep collect", out)
            campaign = bench.campaign()
            for script in sorted((bench.folder / "c" / "batch").iterdir()):
                text = script.read_text()
                for number, point in enumerate(campaign.points):
                    text = text.replace(point.hash, f"@{number}@")
                text = text.replace(str(bench.folder), "@FOLDER@")
                golden = GOLDEN / script.name
                if os.environ.get("MW_GOLDEN") == "write":
                    golden.write_text(text)
                self.assertEqual(text, golden.read_text(), script.name)
                for shell in "sh", "bash":
                    subprocess.run([shell, "-n", script], check=True)

    def test_what_nothing_quotes_is_limited(self):
        for launcher, option in (("slurm", "queue"), ("pbs", "account"), ("lsf", "queue"), ("sunway", "queue")):
            bench = self.bench()
            code, _, err = self.makes(bench, launcher, f"--{option}", "short\n#SBATCH --wrap=x")
            self.assertEqual(code, 64, err)
            self.assertIn("cannot stand in a job's directives", err)
            self.assertFalse((bench.folder / "c").exists())

    def text_of(self, bench, name):
        return (bench.folder / "c" / "batch" / name).read_text()

    def test_memory_of_a_node_is_what_the_user_says(self):
        for launcher, said in (("slurm", "#SBATCH --mem=65536M\n"), ("pbs", ":mem=65536mb\n"),
                               ("lsf", '#BSUB -R "rusage[mem=65536MB/host]"\n')):
            bench = self.bench()
            self.assertEqual(self.makes(bench, launcher, "--node-memory", "64Gi")[0], 0)
            self.assertEqual(bench.campaign().points[0].plan["code"], 0)
            self.assertIn(said, self.text_of(bench, f"{launcher}-2x1.sh"))
        for size, why in (("64 GB", "is not a size"), ("64", "out of range")):
            code, _, err = self.makes(self.bench(), "slurm", "--node-memory", size)
            self.assertEqual((code, why in err), (64, True), err)

    def test_time_is_said_before_anything_is_submitted(self):
        bench = self.bench()
        _, out, err = self.makes(bench, "slurm")
        self.assertIn("time not known: run `meshway plan --calibrate` on a node", err)
        self.assertIn("memory of the nodes not known (--node-memory): nothing was refused", err)
        origin = "rates measured on n1, 2 ranks of 1 thread; link assumed: 10 Gbit/s, 50 us (--link)"
        modelled = f"\ntakes       7200 s with 4 roots, modelled: {origin}\n\ntime        modelled: {origin}\nrun         3601 s"
        for words, late in (((), True), (("--wall-limit", "2h"), True), (("--wall-limit", "121m"), False)):
            bench = self.bench(plan=modelled)
            code, _, err = self.makes(bench, "slurm", "--node-memory", "64000Mi", *words)
            self.assertEqual((code, "nodes not known" in err, "time not known" in err), (0, False, False), err)
            self.assertIn("; about 8.0 h\n", err)  # of each point two ways
            self.assertIn(f"times are modelled: {origin}\n", err)
            self.assertEqual("4 points are predicted to take longer than --wall-limit" in err, late, err)
        self.assertIn("#SBATCH --time=02:04:00\n", self.text_of(bench, "slurm-1x1.sh"))
        self.assertEqual(bench.sweep("resume", "c", "--wall-limit", "1620s", PATH=bench.path)[0], 0)
        self.assertIn("#SBATCH --time=00:30:00\n", self.text_of(bench, "slurm-1x1.sh"))
        bench = self.bench(plan=modelled)
        _, _, err = self.makes(bench, "slurm", "--backend", "kokkos")
        self.assertIn("time not known: run `meshway plan --calibrate --backend kokkos` on a node", err)
        self.assertIsNone(bench.campaign().points[0].plan["time_s"])
        bench = self.bench(plan=modelled.replace(origin, "rates measured on devices of n1"))
        _, _, err = self.makes(bench, "slurm", "--backend", "kokkos")
        self.assertIn("; about 8.0 h\n", err)

    def test_devices_of_a_node_are_those_of_its_ranks(self):
        for launcher, said in (("slurm", "#SBATCH --gpus-per-node=4\n"), ("pbs", ":ngpus=4\n"),
                               ("lsf", '#BSUB -gpu "num=4:j_exclusive=yes"\n')):
            bench = self.bench()
            code, _, err = self.makes(bench, launcher, "--gpus-per-rank", "2", "--ranks-per-node", "2", "--backend", "kokkos")
            self.assertEqual((code, "note: --backend" in err), (0, False), err)
            self.assertIn(said, self.text_of(bench, f"{launcher}-2x1.sh"))
            # Ranks of a node reach each other's devices: no task may hide them.
            self.assertEqual("--gpu-bind=none" in bench.campaign().points[0].argv, launcher == "slurm")
            for point in bench.campaign().points:  # who sweeps over devices wants none of them to wait
                self.assertEqual("devices=all" in " ".join(point.argv), point.axes["ranks"] > 1, point.argv)
        # Without a word each rank gets one, which is said; of one's own there may be none.
        for launcher, one, none in (("slurm", "#SBATCH --gpus-per-node=2\n", "--gpus-per-node"), ("pbs", ":ngpus=2\n", "ngpus"),
                                    ("lsf", '#BSUB -gpu "num=2:j_exclusive=yes"\n', "-gpu")):
            bench = self.bench()
            code, _, err = self.makes(bench, launcher, "--ranks-per-node", "2", "--backend", "kokkos")
            self.assertEqual((code, "note: --backend kokkos searches on devices: " in err), (0, True), err)
            self.assertIn(one, self.text_of(bench, f"{launcher}-2x1.sh"))
            for words in ("--backend", "kokkos", "--gpus-per-rank", "0"), ("--backend", "serial"):
                bench = self.bench()
                code, _, err = self.makes(bench, launcher, "--ranks-per-node", "2", *words)
                self.assertEqual((code, "searches on devices" in err), (0, False), err)
                self.assertNotIn(none, self.text_of(bench, f"{launcher}-2x1.sh"))

    def test_what_a_launcher_has_no_word_for_is_refused(self):
        for launcher, *words in (("mpiexec", "--queue", "q"), ("mpiexec", "--node-memory", "1Gi"), ("mpiexec", "--submit"),
                                 ("mpiexec", "--gpus-per-rank", "1"), ("mpiexec", "--batch-line", "#SBATCH -x"),
                                 ("mpiexec", "--preamble", "p"), ("mpiexec", "--ranks-per-node", "2"),
                                 ("sunway", "--gpus-per-rank", "1"), ("sunway", "--batch-line", "#x"),
                                 ("sunway", "--account", "a"), ("sunway", "--ranks-per-node", "2"),
                                 ("slurm", "--mpiexec", "mpirun")):
            bench = self.bench()
            code, _, err = self.makes(bench, launcher, *words)
            self.assertEqual((code, err.count("\n")), (64, 1), err)
            self.assertIn(f"meshway: {words[0]}: ", err)
            self.assertFalse((bench.folder / "c").exists())
        bench = self.bench()
        (bench.folder / "s.toml").write_text("queue = 'q'\n[run]\nscale = 8\n")
        code, _, err = bench.sweep("run", "s.toml", "-o", "c")
        self.assertEqual((code, "s.toml:1: queue: " in err), (64, True), err)

    def test_lines_of_ones_own_stand_where_they_are_read(self):
        bench = self.bench()
        (bench.folder / "p").write_text("module load mpi\n")
        code, _, err = self.makes(bench, "slurm", "--batch-line", "#SBATCH --exclusive", "--batch-line", "#DW jobdw", "--preamble",
                                  "p")
        self.assertEqual(code, 0, err)
        text = self.text_of(bench, "slurm-1x1.sh")
        lines = text.splitlines()
        for line in "#SBATCH --exclusive", "#DW jobdw":
            self.assertTrue(all(l.startswith("#") for l in lines[:lines.index(line)]))
        self.assertLess(text.index("export PATH="), text.index("\nmodule load mpi\n"))
        self.assertLess(text.index("\nmodule load mpi\n"), text.index("set -u"))
        (bench.folder / "p").unlink()  # the campaign holds what it needs
        self.assertEqual(bench.sweep("resume", "c", PATH=bench.path)[0], 0)
        self.assertEqual(self.text_of(bench, "slurm-1x1.sh"), text)

    def test_lines_that_no_system_reads_are_refused(self):
        for words, code, why in ((("--batch-line", "--exclusive"), 64, "is no line of directives"),
                                 (("--batch-line", "#SBATCH -x\ntouch pwned"), 64, "is no line of directives"),
                                 (("--preamble", "none"), 66, "No such file"), (("--preamble", "bad"), 65, "sh cannot read it")):
            bench = self.bench()
            (bench.folder / "bad").write_text("if true\n")
            got, _, err = self.makes(bench, "slurm", *words)
            self.assertEqual((got, why in err), (code, True), err)
            self.assertFalse((bench.folder / "c").exists())

    def test_a_file_from_somebody_else_says_nothing_to_the_shell(self):
        for key, value in (("preamble", "p"), ("batch-line", "#SBATCH -x")):
            bench = self.bench()
            (bench.folder / "p").write_text("true\n")
            (bench.folder / "s.toml").write_text(f"launcher = 'slurm'\n{key} = '{value}'\n[run]\nscale = 8\n")
            words = [w for w in bench.words("run", "s.toml", "-o", "c") if w != "--mpiexec"][:-1]
            for more, expected in (([], 64), (["--trust"], 0)):
                done = subprocess.run([*words, *more], cwd=bench.folder, env=bench.environment(PATH=bench.path),
                                      capture_output=True, text=True)
                self.assertEqual((done.returncode, "--trust" in done.stderr), (expected, expected == 64), done.stderr)

    def test_a_sunway_node_has_as_many_ranks_as_the_next(self):
        """-np is for each node: four of two nodes would be eight ranks of the six that were asked for."""
        bench = self.bench()
        code, _, err = bench.sweep("free", "--scale", "8", "--ranks", "3,5,6,8", "--launcher", "sunway", "-o", "c", PATH=bench.path)
        self.assertEqual(code, 0, err)
        for point in bench.campaign().points:
            nodes, each = (int(point.argv[point.argv.index(w) + 1]) for w in ("-N", "-np"))
            self.assertEqual((nodes * each, each <= 4), (point.axes["ranks"], True))

    def test_open_mpi_does_not_bind_ranks_to_a_core(self):
        from meshway_sweep.launchers.mpiexec import Mpiexec, in_job
        own = {"mpiexec": None, "launcher-arg": []}
        for mpi, words in (("MPICH 4", []), ("Open MPI v4.1", ["--bind-to", "none"])):
            self.assertEqual(in_job(2, own, mpi), ["mpiexec", "-n", "2", *words])
            self.assertEqual(Mpiexec("/m", (), mpi).command(2, False), ["/m", "-n", "2", *words])
        own["launcher-arg"] = ["--bind-to", "socket"]
        self.assertEqual(in_job(2, own, "Open MPI v4.1"), ["mpiexec", "-n", "2", "--bind-to", "socket"])


class Jobs(BatchCase):
    def runs(self, launcher):
        bench = self.bench(code={"9": 70})
        self.assertEqual(self.makes(bench, launcher)[0], 0)
        self.assertEqual(bench.sweep("status", "c")[0], 75)
        self.assertEqual(bench.sweep("collect", "c")[0], 75)  # nothing is there yet
        code, out, err = bench.sweep("resume", "c", "--submit", PATH=bench.path)
        self.assertEqual(code, 0, err + (bench.folder / "job.log").read_text() if (bench.folder / "job.log").exists()
                         else err)
        code, out, err = bench.sweep("collect", "c")
        self.assertEqual(code, 70, out + err)
        self.assertIn("2 ok, 2 failed; 4 new", out)
        by = {(p.axes["scale"], p.repetition): p for p in bench.campaign().points}
        self.assertTrue(by[8, 0].done and by[8, 1].done)
        self.assertEqual(set(by[8, 0].results()), {"direct", "relay"})
        self.assertEqual(by[9, 0].outcome["cause"], "as told")
        # Only what is missing gets a job again; the earlier try is kept.
        bench.behave()
        code, out, err = bench.sweep("resume", "c", "--submit", PATH=bench.path)
        self.assertEqual(code, 0, err)
        self.assertEqual(len(list((bench.folder / "c" / "batch").glob("*.sh"))), 1)
        self.assertEqual(bench.sweep("collect", "c")[0], 0)
        self.assertTrue(all(p.done for p in bench.campaign().points))
        self.assertEqual(by[9, 0].outcome["tries"], 2)
        self.assertEqual((by[9, 0].folder / "try-1" / "ended").read_text().split()[0], "70")
        self.assertEqual(sorted(bench.log("end")), sorted(p.hash for p in bench.campaign().points))
        self.assertFalse(list(bench.folder.glob("**/pwned")))
        return bench

    def test_slurm(self):
        self.runs("slurm")

    def test_pbs(self):
        self.runs("pbs")

    def test_lsf(self):
        self.runs("lsf")

    def test_sunway(self):
        self.runs("sunway")

    def seen_by_ranks(self, launcher, *words):
        bench = self.bench()
        code, _, err = self.makes(bench, launcher, "--ranks-per-node", "2", "--submit", *words)
        self.assertEqual(code, 0, err)
        self.assertEqual(bench.sweep("collect", "c")[0], 0)
        return [p.results()["direct"]["configuration"] for p in bench.campaign().points]

    @unittest.skipIf(len(os.sched_getaffinity(0)) < 2, "one core is what each rank has")
    def test_a_rank_has_a_core_for_each_thread(self):
        self.assertEqual({c["cores"] for c in self.seen_by_ranks("slurm", "--threads", "2")}, {2})
        self.assertEqual({c["cores"] for c in self.seen_by_ranks("slurm")}, {1})

    def test_a_rank_of_pbs_has_not_the_threads_of_its_node(self):
        self.assertEqual({c["omp"] for c in self.seen_by_ranks("pbs")}, {"1"})
        self.assertEqual({c["omp"] for c in self.seen_by_ranks("pbs", "--threads", "3")}, {"3"})

    def test_a_job_that_is_warned_is_queued_again(self):
        bench = self.bench(delay=900)
        (bench.folder / "warn").write_text("")
        submit = bench.start("weak", "--per-rank-scale", "8", "--ranks", "1", "--launcher", "slurm", "--submit", "-o",
                             "c", PATH=bench.path)
        while (bench.folder / "warn").exists() and submit.poll() is None:
            pass
        bench.behave()
        out, err = submit.communicate()
        self.assertEqual(submit.returncode, 0, err)
        self.assertIn("submitted: Submitted batch job 7", out)
        self.assertEqual(bench.sweep("collect", "c")[0], 0)
        point = bench.campaign().points[0]
        self.assertEqual((point.folder / "try-1" / "ended").read_text().split()[0], "75")
        self.assertEqual(point.outcome["tries"], 2)

    def test_the_next_job_goes_on_or_begins_anew(self):
        """What a try has left is handed to the next; where that refuses it, there is one without."""
        bench = self.bench(refuse_resume=True)
        self.makes(bench, "slurm", "--submit")
        points = bench.campaign().points
        for point in points:
            for name in point.result_names:
                path = point.folder / name
                path.write_text(path.read_text().replace('"ok"', '"interrupted"'))
            (point.folder / "ended").write_text("75\nthen\n1\n")
        self.assertEqual(bench.sweep("collect", "c")[0], 75)
        self.assertEqual(bench.sweep("resume", "c", "--submit", PATH=bench.path)[0], 0)
        self.assertEqual(bench.sweep("collect", "c")[0], 0)
        for point in points:
            self.assertEqual([(point.folder / f"try-{n}" / "ended").read_text().split()[0] for n in (1, 2)], ["75", "65"])
            argv = point.results()["direct"]["provenance"]["argv"]
            self.assertNotIn("--resume", argv)
        bench.behave()
        point = points[0]
        (point.folder / "ended").write_text("75\nthen\n1\n")
        for name in point.result_names:
            path = point.folder / name
            path.write_text(path.read_text().replace('"ok"', '"interrupted"'))
        (point.folder / "outcome.json").unlink()
        self.assertEqual(bench.sweep("collect", "c")[0], 75)
        self.assertEqual(bench.sweep("resume", "c", "--submit", PATH=bench.path)[0], 0)
        self.assertEqual(bench.sweep("collect", "c")[0], 0)
        self.assertEqual(point.results()["direct"]["provenance"]["argv"][-2:], ["--resume", "result.json"])

    def test_a_damaged_result_is_not_collected(self):
        bench = self.bench()
        self.makes(bench, "slurm", "--submit")
        point = bench.campaign().points[0]
        path = point.folder / "result.direct.json"
        path.write_text(path.read_text().replace('"n_ranks": 1', '"n_ranks": 3'))
        self.assertEqual(bench.sweep("collect", "c")[0], 70)
        self.assertFalse(point.done)
        self.assertEqual(bench.sweep("resume", "c", "--submit", PATH=bench.path)[0], 0)
        self.assertEqual(bench.sweep("collect", "c")[0], 0)
        self.assertEqual((point.done, point.outcome["tries"]), (True, 2))

    def test_modes_and_refusals(self):
        """A job has the umask of who submits it."""
        bench = self.bench(refuse={"9": "too much"})
        old = os.umask(0o027)
        try:
            self.makes(bench, "slurm", "--submit")
            self.assertIn("2 ok, 2 refused", bench.sweep("collect", "c")[1])
        finally:
            os.umask(old)
        for top, _, names in os.walk(bench.folder / "c"):
            self.assertEqual(os.stat(top).st_mode & 0o777, 0o750, top)
            for name in names:
                self.assertEqual(os.stat(os.path.join(top, name)).st_mode & 0o777, 0o640, name)

    def test_no_batch_system_is_said(self):
        bench = self.bench()
        (bench.folder / "sbatch").unlink()
        bench.path = str(bench.folder)
        code, _, err = self.makes(bench, "slurm", "--submit")
        self.assertEqual((code, "sbatch: is not in PATH" in err), (69, True), err)
        self.assertEqual(bench.sweep("collect", "c")[0], 75)

    def test_a_point_is_not_submitted_twice(self):
        """One script is submitted, the second is refused."""
        bench = self.bench()
        (bench.folder / "sbatch").write_text("#!/bin/sh\n[ $1 = slurm-1x1.sh ] && echo Submitted batch job 41\n")
        code, out, _ = self.makes(bench, "slurm", "--submit")
        self.assertEqual((code, "submitted: Submitted batch job 41" in out), (69, True), out)
        self.assertRegex(out, "submit:    cd .*sbatch slurm-2x1.sh\n")
        self.assertEqual((bench.folder / "c" / "batch" / "submitted").read_text(), "slurm-1x1.sh: Submitted batch job 41\n")
        for queue, words, code, said in (("41\n", ["--submit"], 75, "1 job of this campaign is still queued (41)"),
                                         ("41\n", [], 0, "warning: "), ("7\n", [], 0, ""), (None, [], 0, "nothing here tells")):
            (bench.folder / "queue").unlink()
            if queue:
                (bench.folder / "queue").write_text(queue)
            got, _, err = bench.sweep("resume", "c", *words, PATH=bench.path)
            self.assertEqual((got, said in err, bool(err)), (code, True, bool(said)), err)

    def test_a_point_without_an_end_is_no_point_that_waits(self):
        bench = self.bench()
        self.makes(bench, "slurm")
        (bench.campaign().points[0].folder / "stdout").write_text("")
        for verb in "status", "collect":
            code, out, _ = bench.sweep(verb, "c")
            self.assertEqual((code, "1 begun, no end, 3 not run" in out), (75, True), out)

    def test_mpiexec_has_nothing_to_collect(self):
        bench = self.bench()
        bench.sweep("free", "--scale", "8", "-o", "c")
        self.assertEqual(bench.sweep("collect", "c")[0], 64)
        self.assertEqual(bench.sweep("resume", "c", "--submit")[0], 64)


if __name__ == "__main__":
    BenchCase.meshway = os.path.abspath(sys.argv.pop(1))
    unittest.main()
