#!/bin/sh
# test_quickstart.sh SOURCE_DIR -- what scripts say of themselves, and `scripts/quickstart --gpu` where it
# cannot go on; a machine with a GPU is pretended by an nvidia-smi of our own, as far as the compiler.
set -u
source=$1
. "$(dirname "$0")/lib.sh"
unset Kokkos_ROOT CUDA_HOME MESHWAY_KOKKOS_ARCHIVE MESHWAY_GPU_ARCH

start() { "$source/scripts/quickstart" "$@"; }
# gpu LINE [VARIABLE=VALUE...]: with a GPU that nvidia-smi describes so.
gpu() {
    printf '#!/bin/sh\necho "%s"\n' "$1" >bin/nvidia-smi
    shift
    env PATH="$work/bin:$PATH" "$@" "$source/scripts/quickstart" --gpu
}
mkdir bin none
printf '#!/bin/sh\necho "Cuda compilation tools, release 13.0, V13.0.88"\n' >bin/nvcc
printf '#!/bin/sh\necho "No devices were found"\nexit 6\n' >bin/nvidia-smi
chmod +x bin/*

for script in quickstart test smpi testbed; do
    shows 0 "$script" "$source/scripts/$script" --help
    grep -q "^$script .*-- " out || wrong "$script --help does not say what it is"
done
shows 0 "usage: soak" "$source/scripts/soak" --help
expect 69 "soak: $work/none/meshway is not there" "$source/scripts/soak" 1 --build "$work/none"
expect 64 "'unit' is not known" "$source/scripts/test" unit
expect 64 "'--cpu' is not known; there is --gpu" start --cpu
expect 69 "there is no GPU of NVIDIA here (nvidia-smi: No devices were found)" \
    env PATH="$work/bin:$PATH" "$source/scripts/quickstart" --gpu
expect 69 "does not know Kokkos' name for that compute capability" gpu "Some GPU, 3.5"
expect 69 "no Kokkos for CUDA is installed there" gpu "NVIDIA H200, 9.0" Kokkos_ROOT="$work/none"
grep -q "GPU: NVIDIA H200, 9.0, Kokkos_ARCH_HOPPER90" err || wrong "the GPU is not said"
grep -q "nvcc: $work/bin/nvcc, 13.0" err || wrong "the compiler is not said"
expect 69 "$work/none/none.tar.gz cannot be read. Either install one" gpu "NVIDIA H200, 9.0" \
    MESHWAY_KOKKOS_ARCHIVE="$work/none/none.tar.gz"

# A Kokkos that is for another GPU than the one here, or than the one asked for. One for an older GPU runs on a
# newer one: a build of ours then goes on to a cmake that only says what it was given.
mkdir -p ampere/bin ampere/lib/cmake/Kokkos hopper fake
common=lib/cmake/Kokkos/KokkosConfigCommon.cmake
printf 'set(Kokkos_DEVICES SERIAL;CUDA)\nset(Kokkos_ARCH ZEN3;AMPERE80)\n' >ampere/$common
cp "$work/bin/nvcc" ampere/bin/nvcc_wrapper
cp -r ampere/. hopper && sed -i 's/AMPERE80/HOPPER90/' hopper/$common
printf '#!/bin/sh\necho "cmake $*" >&2\nexit 70\n' >fake/cmake
printf '#!/bin/sh\necho "install ok installed"\n' >fake/dpkg-query
chmod +x fake/*
expect 69 "the Kokkos in $work/hopper is for HOPPER90, and NVIDIA A100, 8.0 is AMPERE80. Build a Kokkos with \
-DKokkos_ARCH_AMPERE80=ON and say where" gpu "NVIDIA A100, 8.0" Kokkos_ROOT="$work/hopper"
expect 70 "note: the Kokkos in $work/ampere is for AMPERE80, an older GPU" gpu "NVIDIA H200, 9.0" \
    Kokkos_ROOT="$work/ampere" PATH="$work/fake:$work/bin:$PATH"
expect 70 "-DKokkos_ROOT=$work/hopper " gpu "NVIDIA H200, 9.0" Kokkos_ROOT="$work/hopper" \
    PATH="$work/fake:$work/bin:$PATH"
! grep -q 'note:' err || wrong "a Kokkos for this GPU gets a note"

# Built for a GPU that is not here: whatever nvidia-smi says.
asked() { env PATH="$work/fake:$work/bin:$PATH" "$@" "$source/scripts/quickstart" --gpu; }
printf '#!/bin/sh\nexit 9\n' >bin/nvidia-smi
expect 64 "MESHWAY_GPU_ARCH=kepler35 is none of volta70 " asked MESHWAY_GPU_ARCH=kepler35
expect 69 "the Kokkos in $work/ampere is for AMPERE80, and MESHWAY_GPU_ARCH is HOPPER90" asked MESHWAY_GPU_ARCH=hopper90 \
    Kokkos_ROOT="$work/ampere"
expect 70 " -DMW_GPU_ARCH=HOPPER90" asked MESHWAY_GPU_ARCH=hopper90 Kokkos_ROOT="$work/hopper"
for arch in $(sed -n 's/^gpu_archs="\(.*\)"/\1/p' "$source/scripts/gpu.sh" | tr '[:upper:]' '[:lower:]'); do
    grep -q "^| .*\`$arch\`" "$source/docs/gpu.md" || wrong "docs/gpu.md does not say what $arch is"
done

# What CMake says of a Kokkos that is named, before it compiles anything: no other is taken instead.
mkdir project
printf 'cmake_minimum_required(VERSION 3.20)\nproject(p C)\ninclude(%s/cmake/kokkos.cmake)\n' "$source" >project/CMakeLists.txt
printf 'include(${CMAKE_CURRENT_LIST_DIR}/KokkosConfigCommon.cmake)\nset(Kokkos_ENABLE_CUDA ON)\nset(Kokkos_VERSION 4.7.1)
add_library(Kokkos::kokkos INTERFACE IMPORTED)\n' >hopper/lib/cmake/Kokkos/KokkosConfig.cmake
# configured CODE TEXT OPTION...: lines that CMake has broken are put together.
configured() {
    code=$1 text=$2 files=err
    shift 2
    n_commands=$((n_commands + 1))
    cmake -S project -B made "$@" >out 2>said </dev/null
    got=$?
    tr -s ' \n' '  ' <said >err
    answered $got cmake "$@"
}
if command -v c++ >/dev/null; then
    configured 1 "Kokkos_ROOT=$work/none: no Kokkos is installed there (lib/cmake/Kokkos/KokkosConfig.cmake). Name" \
        -DKokkos_ROOT="$work/none" -DCMAKE_PREFIX_PATH="$work/hopper"
    configured 1 "MW_GPU_ARCH=ampere80: the Kokkos in $work/hopper/lib/cmake/Kokkos is built for ZEN3, HOPPER90. Build one with \
-DKokkos_ARCH_AMPERE80=ON" -DKokkos_ROOT="$work/hopper" -DMW_GPU_ARCH=ampere80
    configured 1 "Kokkos_ROOT=$work/none: no Kokkos is installed there" -DKokkos_ROOT="$work/none" # after another was found
    rm -r made
    Kokkos_ROOT=$work/none configured 1 "Kokkos_ROOT=$work/none: no Kokkos is installed there" -DCMAKE_PREFIX_PATH="$work/hopper"
    configured 1 "" -DKokkos_ROOT="$work/hopper" -DMW_GPU_ARCH=HOPPER90 # the rest of the build is not there
    ! grep -q 'Kokkos_ROOT=\|MW_GPU_ARCH=' err || wrong "a Kokkos that is right is not taken"
fi

# In a tree of our own: what is downloaded lies in its build folder. No other Kokkos for CUDA is hidden from it.
mkdir tree && cp -r "$source/scripts" "$source/cmake" tree/
real=$source source=$work/tree
echo "no archive" >kokkos.tar.gz
if [ -z "$(ls -d /usr/lib*/cmake/Kokkos /usr/local/lib*/cmake/Kokkos /opt/kokkos/lib*/cmake/Kokkos 2>/dev/null)" ]; then
    expect 69 "kokkos.tar.gz could not be had (it is another file: its checksum is not the release's)" \
        gpu "NVIDIA H200, 9.0" MESHWAY_KOKKOS_ARCHIVE="$work/kokkos.tar.gz"
fi
rm bin/nvcc
if ! command -v nvcc >/dev/null && ! [ -x /usr/local/cuda/bin/nvcc ] && ! [ -x /opt/cuda/bin/nvcc ]; then
    expect 69 "there is a GPU, but no nvcc" gpu "NVIDIA H200, 9.0"
fi
source=$real

[ $failed -eq 0 ] && echo "all $n_commands commands behave"
exit $failed
