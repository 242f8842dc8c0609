#!/bin/sh
# on_its_core.sh COMMAND... -- runs it on the core that CTest has given to the test, if CTest was told what cores there
# are (scripts/test); else wherever.
set -eu
core=${CTEST_RESOURCE_GROUP_0_CORES:-} # id:3,slots:1
if [ -n "$core" ]; then
    core=${core#id:}
    set -- taskset -c "${core%%,*}" "$@"
fi
exec "$@"
