#!/bin/sh
# test_quickstart.sh SOURCE_DIR -- what scripts say of themselves, and `scripts/quickstart --gpu` where it
# cannot go on; a machine with a GPU is pretended by an nvidia-smi of our own, as far as the compiler.
set -u
source=$1
. "$(dirname "$0")/lib.sh"
unset Kokkos_ROOT CUDA_HOME MESHWAY_KOKKOS_ARCHIVE

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
