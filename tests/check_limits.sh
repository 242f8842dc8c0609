#!/bin/sh
# check_limits.sh -- limits of tests are for hangs, and CTest has the one there is: Check's own
# (4 s a test where it forks) and those of single commands would fail on a busy machine. Run by
# CTest as "limits".
set -eu
cd "${1:-.}/tests"
out=$(
    # Suites run by suite.h and mpi_suite.h, or without forking, where Check has no limit.
    for file in $(grep -l 'srunner_create' -- *.c *.h); do
        grep -q 'srunner_set_fork_status(.*\(CK_NOFORK\|fork\));' "$file" ||
            echo "$file: forks with Check's limit: let run_suite() run it"
    done
    for file in $(grep -l 'CK_FORK)' -- *.c); do
        grep -q 'tcase_set_timeout(.*, 0);' "$file" || echo "$file: forks with Check's limit"
    done
    grep -nE 'tcase_set_timeout\(.*, *[1-9]' -- *.c sunway/*.c || true
    # A pipeline's own alarm: HANG_S of ranks.h, or less than a second where it is what is tested.
    grep -nE 'hang_timeout_s = [1-9]' -- *.c *.h sunway/*.c || true
    grep -nE '\balarm\([0-9]{1,3}\)' -- *.c *.h sunway/*.c || true
    grep -nE '\bTIMEOUT [0-9]+' -- *.cmake CMakeLists.txt | grep -v mutants || true
    # Polls that give up after so many tries.
    grep -nE 'tries"? -(lt|le|gt|ge) [0-9]+' -- *.sh sunway/*.sh || true
    grep -nE '^(HANG|PATIENCE) = [0-9]{1,2}\b' -- *.py || true
    grep -nE '(^|[^-_a-z])timeout (-[a-z]+ [0-9]+ )*[0-9]{1,2} ' -- *.sh || true
)
if [ -n "$out" ]; then
    printf '%s\n' "$out" >&2
    exit 1
fi
