"""meshway_reframe.py -- Meshway for sites that test their systems with ReFrame:

    cd share/meshway/reframe    # settings.py: where a site has none of its own
    reframe -C settings.py -c meshway_reframe.py -r -S program="$(command -v meshway)" --performance-report

`MeshwayCheck` is a scaling check with figures of merit; each run's result must be whole and validated.
`MeshwaySweep` runs a campaign of Meshway's own runner and asks that all of it completes. A sweep that must
survive anything is the runner's business (docs/sweeps.md): ReFrame writes its report when its session ends.
SPDX-License-Identifier: Apache-2.0
"""
import json
import os

import reframe as rfm
import reframe.utility.sanity as sn
from reframe.core.backends import getlauncher
from reframe.core.builtins import parameter, performance_function, run_after, run_before, sanity_function, variable


@rfm.simple_test
class MeshwayCheck(rfm.RunOnlyRegressionTest):
    descr = "Graph500 breadth-first search, weak scaling"
    program = variable(str, value="meshway")
    per_rank_scale = variable(int, value=14)
    roots = variable(int, value=16)
    n_ranks = parameter([1, 2])
    routing = parameter(["direct", "relay"])
    valid_systems = ["*"]
    valid_prog_environs = ["*"]

    @run_after("setup")
    def set_ranks(self):
        self.num_tasks = self.n_ranks
        self.executable = self.program
        self.executable_opts = ["run", "--scale", str(self.per_rank_scale + self.n_ranks.bit_length() - 1), "--roots",
                                str(self.roots), "--routing", self.routing, "--threads", "1", "--json", "result.json"]

    @sanity_function
    def validated(self):
        return sn.all([
            sn.assert_found(rf"^validation: +{self.roots} of {self.roots} searches passed", self.stdout),
            sn.assert_eq(self.result()["status"], "ok"),
            sn.assert_eq(self.result()["configuration"]["n_ranks"], self.n_ranks)])

    @sn.deferrable
    def result(self):
        with open(os.path.join(self.stagedir, "result.json")) as f:
            return json.load(f)

    @performance_function("TEPS")
    def harmonic_mean(self):
        return sn.extractsingle(r"^bfs  harmonic_mean_TEPS:     !  (\S+)", self.stdout, 1, float)

    @performance_function("s")
    def construction(self):
        return sn.extractsingle(r"^construction_time: +(\S+)", self.stdout, 1, float)

    @performance_function("B")
    def peak_rank_memory(self):
        return sn.extractsingle(r"^peak_rank_bytes: +(\S+)", self.stdout, 1, float)


@rfm.simple_test
class MeshwaySweep(rfm.RunOnlyRegressionTest):
    descr = "a campaign of Meshway's own runner"
    program = variable(str, value="meshway")
    local = True
    valid_systems = ["*"]
    valid_prog_environs = ["*"]

    @run_before("run")
    def set_command(self):
        self.job.launcher = getlauncher("local")()  # the runner starts ranks itself
        self.executable = self.program
        self.executable_opts = ["sweep", "weak", "--per-rank-scale", "12", "--ranks", "1,2", "--threads", "1", "--roots",
                                "8", "--routing", "direct,relay", "-o", "campaign"]

    @sanity_function
    def complete(self):
        return sn.assert_found(r"^points: +2 ok$", self.stdout)
