"""What the tools of meshway_sweep and this package share: the files are theirs (tools/meshway_sweep).

SPDX-License-Identifier: Apache-2.0
"""
