#!/bin/sh
# test_shared_library.sh SOURCE_DIR CMAKE CXX -- a static Kokkos without position-independent
# code cannot be in libmeshway.so: configuring says so, and leaves out that library alone. The Kokkos here is
# a function with a variable of a thread's own, which is enough for linkers.
source=$1 cmake=$2 cxx=$3
. "$(dirname "$0")/lib.sh"

# kokkos NAME FLAG...: an installation of it.
kokkos() {
    prefix=$work/$1
    shift
    mkdir -p "$prefix"
    cat >"$prefix/Kokkos_Core.hpp" <<'END'
namespace Kokkos
{
void initialize();
void finalize();
void *kokkos_malloc(unsigned long);
void kokkos_free(void *);
} // namespace Kokkos
END
    cat >"$prefix/kokkos.cpp" <<'END'
#include "Kokkos_Core.hpp"
static thread_local int depth;
void Kokkos::initialize() { depth++; }
void Kokkos::finalize() { depth--; }
void *Kokkos::kokkos_malloc(unsigned long) { return &depth; }
void Kokkos::kokkos_free(void *) {}
END
    cat >"$prefix/KokkosConfig.cmake" <<'END'
add_library(Kokkos::kokkos STATIC IMPORTED)
set_target_properties(Kokkos::kokkos PROPERTIES IMPORTED_LOCATION ${CMAKE_CURRENT_LIST_DIR}/libkokkos.a
  INTERFACE_INCLUDE_DIRECTORIES ${CMAKE_CURRENT_LIST_DIR})
set(Kokkos_VERSION 4.7.01)
END
    "$cxx" -O1 "$@" -c "$prefix/kokkos.cpp" -o "$prefix/kokkos.o" && ar rc "$prefix/libkokkos.a" "$prefix/kokkos.o" ||
        wrong "no $prefix"
}
configure() { # NAME of a Kokkos
    answers out 0 "Kokkos 4.7.01, host" "$cmake" -S "$source" -B build -DMW_WITH_KOKKOS=ON -DMW_WITH_TESTS=OFF \
        -DMW_WITH_BENCH=OFF -DKokkos_DIR="$work/$1"
}
libraries() { "$cmake" --build build --target help | grep -o 'meshway_s[a-z]*ic\|meshway_shared' | sort -u | xargs; }

kokkos apart -fPIE
kokkos inside -fPIC
configure apart
grep -q "archive only, for this Kokkos cannot be in a shared library" out || wrong "nobody says what is left out"
grep -q "DCMAKE_POSITION_INDEPENDENT_CODE=ON" out || wrong "nobody says what to do"
sed -n '/features have been disabled/,$p' out | grep -q "shared library, libmeshway.so" || wrong "the summary has it"
[ "$(libraries)" = meshway_static ] || wrong "libraries without position-independent code: $(libraries)"
configure inside
! grep -q "archive only" out || wrong "a Kokkos with position-independent code is refused"
[ "$(libraries)" = "meshway_shared meshway_static" ] || wrong "libraries with it: $(libraries)"
configure apart # the answer is not kept for another one
[ "$(libraries)" = meshway_static ] || wrong "the answer for another Kokkos was kept"

[ $failed -eq 0 ] && echo "all $n_commands commands behave"
exit $failed
