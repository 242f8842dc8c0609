"""launchers -- who starts the ranks of a point: mpiexec at once, or a batch system by scripts.

SPDX-License-Identifier: Apache-2.0
"""
