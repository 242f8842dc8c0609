"""meshway_sweep -- many points of `meshway run`, in a directory that survives anything.

`meshway sweep`, `report`, `compare` and `bench` start this package. Running needs
Python 3.11 and nothing besides its standard library.

SPDX-License-Identifier: Apache-2.0
"""
