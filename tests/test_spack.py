"""test_spack.py SOURCE_DIR -- the recipes for Spack and conda, against the build that they describe. Neither is asked:
Spack's words are stood in for here by functions that note what they are given, and conda's recipe is text.

SPDX-License-Identifier: Apache-2.0
"""
import importlib.util
import re
import sys
import types
from pathlib import Path

SOURCE = Path(sys.argv[1])
BUILD_FOR_OTHERS = {"MW_WITH_ATHREAD"}  # cross-built by Makefile.sunway
given = {}  # word: list of (arguments, keywords)


def word(name):
    def note(*arguments, **keywords):
        given.setdefault(name, []).append((arguments, keywords))
        return lambda function: function  # some are decorators
    return note


class CMakePackage:
    run_tests = False

    def __init__(self, **variants):
        self.variants = variants

    def define_from_variant(self, option, variant):
        return f"-D{option}:BOOL={'ON' if self.variants[variant] else 'OFF'}"

    def define(self, option, value):
        return f"-D{option}:BOOL={'ON' if value else 'OFF'}"


def recipe():
    package = types.ModuleType("spack.package")
    words = ("license", "version", "variant", "depends_on", "conflicts", "run_after", "on_package_attributes")
    for name in words:
        setattr(package, name, word(name))
    package.CMakePackage, package.Executable = CMakePackage, None
    package.__all__ = [*words, "CMakePackage", "Executable"]
    sys.modules.update({"spack": types.ModuleType("spack"), "spack.package": package})
    path = SOURCE / "share/spack/packages/meshway/package.py"
    spec = importlib.util.spec_from_file_location("meshway_recipe", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Meshway


Meshway = recipe()
cmake = (SOURCE / "CMakeLists.txt").read_text()
options = set(re.findall(r"^option\((MW_WITH_\w+)", cmake, re.M)) - BUILD_FOR_OTHERS
variants = [arguments[0] for arguments, _ in given["variant"]]
assert len(options) >= 6, options

# Every option of the build is set, by a variant each, and none that there is not.
for on in (False, True):
    arguments = Meshway(**{name: on for name in variants}).cmake_args()
    assert {a[2:].split(":")[0] for a in arguments} == options, (arguments, options)
    assert all(a.endswith("ON" if on else "OFF") for a in arguments if "TESTS" not in a), arguments

# What the build looks for it depends on, and not on older versions.
packages = (SOURCE / "cmake/packages.cmake").read_text()
needs = {arguments[0].split("@")[0]: (arguments[0], keywords) for arguments, keywords in given["depends_on"]}
for name, least in re.findall(r"pkg_check_modules\(\w+ (?:REQUIRED )?IMPORTED_TARGET ([a-z]+)(?:>=([\d.]+))?\)", packages):
    assert name in needs, f"the recipe does not depend on {name}"
    if least:
        assert needs[name][0] == f"{name}@{least}:", needs[name]
least_cmake = re.search(r"cmake_minimum_required\(VERSION ([\d.]+)\)", cmake).group(1)
assert needs["cmake"][0] == f"cmake@{least_cmake}:", needs["cmake"]
for name, (_, keywords) in needs.items():
    if (when := keywords.get("when", "")).startswith("+"):
        assert when[1:] in variants, f"{name} depends on variant {when}, which there is not"

assert (Path(Meshway.git.removeprefix("file://")) / "CMakeLists.txt").samefile(SOURCE / "CMakeLists.txt")
assert "namespace: meshway" in (SOURCE / "share/spack/repo.yaml").read_text()
# conda's: the same version, what the build looks for, and the Python package where conda's Python looks.
conda = (SOURCE / "share/conda/recipe.yaml").read_text()
version = re.search(r"^project\(meshway VERSION ([\d.]+)", cmake, re.M).group(1)
assert f'version: "{version}"' in conda and f"cmake >={least_cmake}" in conda and "MW_PYTHON_DIR=${SP_DIR#$PREFIX/}" in conda
for name in {"jansson", "libarchive", "hwloc", "mpi"} & set(needs):
    assert re.search(rf"^    - (lib)?{name}(ch)?$", conda, re.M), f"conda's recipe does not need {name}"
assert set(re.findall(r"-D(MW_\w+)", conda)) <= {*options, "MW_PYTHON_DIR"}, conda
print(f"the recipe sets {len(options)} options of the build and depends on {', '.join(sorted(needs))}")
