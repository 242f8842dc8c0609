# shellcheck shell=sh
# gpu.sh -- for `quickstart --gpu`: which GPU is here, with what it is compiled for, and which Kokkos.
# Sourced after lib.sh; not a program. Whatever is missing ends the script with 69 and says what to do.
: "${root:?}"

# Kokkos' words for GPUs of NVIDIA; docs/gpu.md says which devices they are.
gpu_archs="VOLTA70 TURING75 AMPERE80 AMPERE86 ADA89 HOPPER90 BLACKWELL100 BLACKWELL120"

number_of() { printf '%s' "$1" | tr -dc 0-9; } # ARCH: its compute capability, times ten

# gpu_asked NAME: an architecture to build for, whatever GPU is here, or none.
gpu_asked() {
    gpu=""
    gpu_arch=$(printf '%s' "$1" | tr '[:lower:]' '[:upper:]')
    case " $gpu_archs " in
    *" $gpu_arch "*) say "GPU: built for $gpu_arch (MESHWAY_GPU_ARCH), and not run here" ;;
    *) fail 64 "MESHWAY_GPU_ARCH=$1 is none of $(printf '%s' "$gpu_archs" | tr '[:upper:]' '[:lower:]')" ;;
    esac
}

# gpu_arch: Kokkos' word for the compute capability of the first GPU.
gpu_find() {
    command -v nvidia-smi >/dev/null || fail 69 "there is no GPU of NVIDIA here (no nvidia-smi). On CPUs: scripts/quickstart; \
to build for another machine: MESHWAY_GPU_ARCH=hopper90 scripts/quickstart --gpu; GPUs of others: docs/gpu.md"
    seen=$(nvidia-smi --query-gpu=name,compute_cap --format=csv,noheader 2>&1) || fail 69 "there is no GPU of NVIDIA here \
(nvidia-smi: $(printf '%s' "${seen:-nothing}" | head -n 1)). On CPUs: scripts/quickstart; GPUs of others: docs/gpu.md"
    gpu=$(printf '%s\n' "$seen" | head -n 1)
    gpu_arch=""
    for arch in $gpu_archs; do
        [ "$(number_of "$arch")" != "$(printf '%s' "${gpu##*, }" | tr -d .)" ] || gpu_arch=$arch
    done
    [ -n "$gpu_arch" ] || fail 69 "$gpu: this script does not know Kokkos' name for that compute capability. docs/gpu.md \
has the commands; the name goes to -DKokkos_ARCH_..."
    say "GPU: $gpu, Kokkos_ARCH_$gpu_arch"
}

# CUDA's compiler, on PATH.
gpu_compiler() {
    for folder in "" "${CUDA_HOME:+$CUDA_HOME/bin}" /usr/local/cuda/bin /opt/cuda/bin; do
        if [ -n "$folder" ] && [ -x "$folder/nvcc" ]; then
            PATH=$folder:$PATH
            export PATH
        fi
        command -v nvcc >/dev/null && break
    done
    nvcc=$(command -v nvcc) || fail 69 "there is no nvcc: install NVIDIA's CUDA toolkit (13.0 was tried), or say where \
it is (CUDA_HOME=PREFIX), and start me again"
    say "nvcc: $nvcc, $("$nvcc" --version | sed -n 's/.*release \([0-9.]*\).*/\1/p')"
}

# for_cuda PREFIX: whether a Kokkos for CUDA is installed there.
for_cuda() {
    for file in "$1"/lib*/cmake/Kokkos/KokkosConfigCommon.cmake "$1"/lib/*/cmake/Kokkos/KokkosConfigCommon.cmake; do
        [ -r "$file" ] && grep -q 'Kokkos_DEVICES.*CUDA' "$file" && [ -x "$1/bin/nvcc_wrapper" ] && return 0
    done
    return 1
}

# kokkos_arch PREFIX: what GPU the Kokkos there is for, in Kokkos' word; "": it does not say.
kokkos_arch() {
    sed -n 's/^set(Kokkos_ARCH \(.*\))$/\1/p' "$1"/lib*/cmake/Kokkos/KokkosConfigCommon.cmake \
        "$1"/lib/*/cmake/Kokkos/KokkosConfigCommon.cmake 2>/dev/null |
        grep -oE '\b(VOLTA|TURING|AMPERE|ADA|HOPPER|BLACKWELL)[0-9]+\b' | head -n 1
}

# gpu_fits: an older device cannot run it, nor is it what was asked for; a newer one has the driver translate.
gpu_fits() {
    has=$(kokkos_arch "$kokkos")
    if [ -z "$has" ] || [ "$has" = "$gpu_arch" ]; then return 0; fi
    instead="Build a Kokkos with -DKokkos_ARCH_$gpu_arch=ON and say where (Kokkos_ROOT=PREFIX)"
    [ -z "$gpu" ] || [ "$(number_of "$has")" -gt "$(number_of "$gpu_arch")" ] ||
        { say "note: the Kokkos in $kokkos is for $has, an older GPU: the driver translates its kernels. $instead"; return 0; }
    misfit="the Kokkos in $kokkos is for $has, and ${gpu:-MESHWAY_GPU_ARCH} is $gpu_arch"
    return 1
}

# kokkos: the prefix of one that is installed; "": it is built with the rest.
gpu_kokkos() { # ARCHIVE
    kokkos=""
    archive=$1
    [ -z "$archive" ] || [ -r "$archive" ] || gpu_no_kokkos "$archive cannot be read"
    for prefix in ${Kokkos_ROOT:+"$Kokkos_ROOT"} /usr/local /opt/kokkos /usr; do
        if for_cuda "$prefix"; then
            kokkos=$prefix
            say "Kokkos: for CUDA, in $kokkos"
            gpu_fits && break
            [ "$prefix" != "${Kokkos_ROOT:-}" ] || fail 69 "$misfit. $instead"
            say "note: $misfit: another one is looked for"
            kokkos=""
            continue
        fi
        [ "$prefix" != "${Kokkos_ROOT:-}" ] || fail 69 "Kokkos_ROOT=$Kokkos_ROOT: no Kokkos for CUDA is installed there \
(lib/cmake/Kokkos and bin/nvcc_wrapper)"
    done
}

gpu_no_kokkos() { # WHY
    fail 69 "there is no Kokkos for CUDA, and $1. Either install one and say where (Kokkos_ROOT=PREFIX scripts/quickstart --gpu), \
or let it be built from $url, where that can be reached or is given as a file (MESHWAY_KOKKOS_ARCHIVE=FILE)"
}

release=$(sed -n 's/^set(MW_KOKKOS_RELEASE \([^ )]*\).*/\1/p' "$root/cmake/kokkos.cmake")
sum=$(sed -n 's/^set(MW_KOKKOS_SHA256 \([^ )]*\).*/\1/p' "$root/cmake/kokkos.cmake")
url=https://github.com/kokkos/kokkos/releases/download/$release/kokkos-$release.tar.gz

# The source of the release, unpacked: the compiler to build it with is in it.
gpu_fetch() {
    source=$root/build/kokkos-$release
    [ ! -x "$source/bin/nvcc_wrapper" ] || return 0
    mkdir -p "$root/build"
    from=$url
    [ -z "$archive" ] || from=file://$(realpath "$archive")
    say "Kokkos $release: $from"
    cat >"$root/build/fetch.cmake" <<END
file(DOWNLOAD "$from" "$source.tar.gz" EXPECTED_HASH SHA256=$sum TIMEOUT 300 INACTIVITY_TIMEOUT 30)
file(ARCHIVE_EXTRACT INPUT "$source.tar.gz" DESTINATION "$root/build")
END
    cmake -P "$root/build/fetch.cmake" >"$root/build/fetch.log" 2>&1 && return
    why=$(sed -n 's/.*status: \[[0-9]*;"\(.*\)"\].*/\1/p' "$root/build/fetch.log" | head -n 1)
    case $why in
    "") why="see $root/build/fetch.log" ;;
    "No error") why="it is another file: its checksum is not the release's" ;;
    esac
    gpu_no_kokkos "$from could not be had ($why)"
}

gpu_build() { # TARGET...
    targets=$*
    if [ -n "$kokkos" ]; then
        set -- -DKokkos_ROOT="$kokkos" -DCMAKE_CXX_COMPILER="$kokkos/bin/nvcc_wrapper" \
            -DMW_GPU_ARCH="$([ -n "$gpu" ] || printf '%s' "$gpu_arch")"
    else
        gpu_fetch
        set -- -DMW_KOKKOS_FETCH=ON -DCMAKE_DISABLE_FIND_PACKAGE_Kokkos=ON -DKokkos_ENABLE_CUDA=ON \
            "-DKokkos_ARCH_$gpu_arch=ON" -DFETCHCONTENT_SOURCE_DIR_KOKKOS="$source" \
            -DCMAKE_CXX_COMPILER="$source/bin/nvcc_wrapper"
    fi
    say "configuring build/gpu"
    (cd "$root" && cmake --preset release -B build/gpu -DMW_WITH_KOKKOS=ON "$@")
    say "building build/gpu: Kokkos' kernels take a minute or two"
    # shellcheck disable=SC2086 # a list
    (cd "$root" && cmake --build build/gpu -j "$(n_cores)" --target $targets)
}

# The form for CUDA, compiled and linked where a Kokkos for CUDA is installed and nvcc is there; no GPU has to be.
gpu_compile() { # PREFIX of Kokkos, or ""
    kokkos="" gpu="" gpu_arch=""
    for prefix in "$@" /usr/local /opt/kokkos; do
        if [ -z "$kokkos" ] && [ -n "$prefix" ] && for_cuda "$prefix"; then kokkos=$prefix; fi
    done
    if [ -z "$kokkos" ]; then
        say "skipped: the form for CUDA: no Kokkos for CUDA is installed here (Kokkos_ROOT=PREFIX says where one is)"
    elif ! (gpu_compiler) >/dev/null 2>&1; then
        say "skipped: the form for CUDA: there is a Kokkos for it in $kokkos, but no nvcc (CUDA_HOME=PREFIX says where it is)"
    else
        gpu_compiler
        gpu_build meshway test_kokkos
    fi
}
