# shellcheck shell=sh
# lib.sh -- what quickstart, test and smpi have in common: packages, configuring, building.
# Sourced by them with $root set; not a program. Whatever fails ends the script.
: "${root:?}"

# What the build, its tests and reports of campaigns need; names are Debian's.
packages="gcc libc6-dev make cmake pkg-config mpich libmpich-dev libhwloc-dev libjansson-dev \
libarchive-dev check python3 python3-matplotlib python3-jinja2"

say() { printf '== %s\n' "$*" >&2; }
fail() { # CODE TEXT...
    code=$1
    shift
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit "$code"
}

# help_asked [WORD...]: the script's opening comment and the end, if the first word asks for it.
help_asked() {
    case ${1:-} in
    --help | -h)
        sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"
        exit 0
        ;;
    esac
}

installed() {
    case $(dpkg-query -W -f '${Status}\n' "$1" 2>/dev/null) in
    *"ok installed"*) return 0 ;;
    *) return 1 ;;
    esac
}

# Installs the packages that are missing, or says how to.
need_packages() {
    if ! command -v dpkg-query >/dev/null; then
        say "this is not Debian: I take it that the like of these is installed: $packages"
        return
    fi
    missing=""
    for package in $packages; do
        installed "$package" && continue
        [ "$package" = pkg-config ] && installed pkgconf && continue
        missing="$missing $package"
    done
    if [ -z "$missing" ]; then
        say "packages: nothing is missing"
        return
    fi
    say "packages: missing:$missing"
    if [ "$(id -u)" -eq 0 ]; then
        as_root=""
    elif command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
        as_root="sudo"
    else
        fail 69 "cannot install packages without root or sudo. As root, run

    apt-get update && apt-get install --no-install-recommends$missing

and start me again."
    fi
    # Unquoted on purpose: $as_root may be empty, $missing is a list.
    # shellcheck disable=SC2086
    $as_root apt-get update -q
    # shellcheck disable=SC2086
    $as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -q -y --no-install-recommends $missing
}

n_cores() { nproc 2>/dev/null || getconf _NPROCESSORS_ONLN; }

# configure PRESET [OPTION...]. Where Debian has several MPIs it is MPICH that we ask for.
configure() {
    preset=$1
    shift
    if [ -x /usr/bin/mpicc.mpich ] && [ -x /usr/bin/mpiexec.mpich ]; then
        set -- "$@" -DMPI_C_COMPILER=/usr/bin/mpicc.mpich \
            -DMPIEXEC_EXECUTABLE=/usr/bin/mpiexec.mpich
    fi
    say "configuring build/$preset"
    (cd "$root" && cmake --preset "$preset" "$@")
}

# build PRESET [TARGET...]
build() {
    preset=$1
    shift
    say "building build/$preset"
    (cd "$root" && cmake --build --preset "$preset" -j "$(n_cores)" ${1:+--target "$@"})
}
