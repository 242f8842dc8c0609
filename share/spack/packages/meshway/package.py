"""package.py -- Meshway for Spack, from the clone that this file lies in.

    spack repo add share/spack
    spack install meshway ^mpich         # the commit that branch main of the clone has
    spack dev-build meshway@main         # the files as they stand, also where there is no git

SPDX-License-Identifier: Apache-2.0
"""

from pathlib import Path

from spack.package import *

try:  # Spack 1.0 keeps build systems with its recipes
    from spack_repo.builtin.build_systems.cmake import CMakePackage
except ImportError:
    pass  # before, spack.package has it


class Meshway(CMakePackage):
    """Graph500 breadth-first search over MPI with pipelined modules, contention-free shuffle and
    group relay; the program, its library, sweeps and reports."""

    git = "file://" + str(Path(__file__).resolve().parents[4])

    license("Apache-2.0")

    version("main", branch="main")

    variant("mpi", default=True, description="ranks over MPI; without: one process is one rank")
    variant("openmp", default=True, description="backend 'openmp', several cores per rank")
    variant("hwloc", default=True, description="place ranks and threads by topology")
    variant("libarchive", default=True, description="packed graphs: .gz, .xz, .zst, .bz2, .lz4")
    variant("layouts", default=True, description="'meshway layout': tools for mesh layouts")
    variant("report", default=True, description="what pictures in reports need: matplotlib, Jinja2")
    variant("kokkos", default=False, description="backend 'kokkos': GPUs")
    variant("omptarget", default=False, description="backend 'omptarget': GPUs by a C compiler that offloads")
    variant("bench", default=False, description="build the micro-benchmarks")

    depends_on("c", type="build")
    depends_on("cmake@3.20:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("jansson")
    depends_on("mpi@3:", when="+mpi")
    depends_on("hwloc@2:", when="+hwloc")
    depends_on("libarchive@3.3.3:", when="+libarchive")  # the first with zstd
    depends_on("cxx", type="build", when="+kokkos")
    depends_on("kokkos@3.4:", when="+kokkos")
    depends_on("python@3.11:", type="run")  # sweeps and reports
    depends_on("py-matplotlib", type="run", when="+report")
    depends_on("py-jinja2", type="run", when="+report")
    depends_on("check", type="test")

    conflicts("platform=windows")

    def cmake_args(self):
        return [
            self.define_from_variant("MW_WITH_MPI", "mpi"),
            self.define_from_variant("MW_WITH_OPENMP", "openmp"),
            self.define_from_variant("MW_WITH_HWLOC", "hwloc"),
            self.define_from_variant("MW_WITH_LIBARCHIVE", "libarchive"),
            self.define_from_variant("MW_WITH_LAYOUTS", "layouts"),
            self.define_from_variant("MW_WITH_KOKKOS", "kokkos"),
            self.define_from_variant("MW_WITH_OMPTARGET", "omptarget"),
            self.define_from_variant("MW_WITH_BENCH", "bench"),
            self.define("MW_WITH_TESTS", self.run_tests),
        ]

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_installed(self):
        """A validated run of the program where it was installed."""
        Executable(str(self.prefix.bin.meshway))("run", "8", "--json", "none")
