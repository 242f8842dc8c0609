"""__main__.py -- `meshway sweep`, `report`, `compare` and `bench`, as the program starts them.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import importlib
import os
import sys

from .campaign import INTERRUPTED, IO_ERROR, SweepError
from .progress import say

MODULES = {"sweep": "cli", "report": "report", "compare": "compare", "bench": "gap"}  # each imports what it needs


def main(program: str, words: list[str]) -> int:
    command, rest = words[0], words[1:]
    try:
        return importlib.import_module(f".{MODULES[command]}", __package__).main(program, rest)
    except SweepError as e:
        say(f"meshway: {e}")
        return e.code
    except KeyboardInterrupt:
        say(f"meshway: {command}: interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        # Python would say so once more when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return IO_ERROR


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
