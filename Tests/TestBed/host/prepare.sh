# Sourced by `run`: what the bed needs on the host. Sets `kernel` and `python`.
cache="${XDG_CACHE_HOME:-$HOME/.cache}/bluecap"
shared="${BLUECAP_TESTBED_CACHE:-$bed/../../../shared/testbed}"
bumble=0.0.236
dbus_fast=5.2.0

say() { echo "test bed: $*" >&2; }
die() { say "$*"; exit 125; }

# Debian packages, only those whose program is missing: a prepared machine needs no network.
need_packages() {
    local missing=() pair
    for pair in dbus-daemon:dbus bluez:bluez xz:xz-utils "$@"; do
        case $pair in
            bluez:*) [ -x /usr/libexec/bluetooth/bluetoothd ] || missing+=(bluez) ;;
            python-venv:*) /usr/bin/python3 -c 'import ensurepip' 2>/dev/null || missing+=(python3 python3-venv) ;;
            source:*) [ -e /usr/src/linux-source-6.1.tar.xz ] || missing+=(linux-source-6.1) ;;
            *) command -v "${pair%%:*}" > /dev/null || missing+=("${pair#*:}") ;;
        esac
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    command -v apt-get > /dev/null || die "needs ${missing[*]}, and there is no apt-get to install them with"
    say "installing ${missing[*]}"
    apt-get update -qq || true
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" > "$out/apt.log" 2>&1 ||
        die "could not install ${missing[*]}: see $out/apt.log"
}

need_python() {
    local venv="$cache/venv-bumble-$bumble"
    python="$venv/bin/python"
    [ -e "$venv/complete" ] && return 0
    need_packages python-venv:python3-venv
    say "installing bumble $bumble and dbus-fast $dbus_fast into $venv"
    rm -rf "$venv"
    /usr/bin/python3 -m venv "$venv" &&
        "$venv/bin/pip" install -q --disable-pip-version-check "bumble==$bumble" "dbus-fast==$dbus_fast" \
            > "$out/pip.log" 2>&1 || die "could not install the Python packages: see $out/pip.log"
    touch "$venv/complete"
}

# A kernel of the shared folder is taken only if its checksum is listed and right.
unpack_shared_kernel() {
    local file name
    for file in $(ls -r "$shared"/linux-uml-*.xz 2>/dev/null); do
        name=$(basename "$file" .xz)
        (cd "$shared" && grep -F " $name.xz" SHA256SUMS | sha256sum --status -c) || {
            say "$file does not match SHA256SUMS: not used"
            continue
        }
        unpack "$file" "$cache/$name" && kernel="$cache/$name" && return 0
    done
    return 1
}

unpack() { xz -dc "$1" > "$2.part" && chmod +x "$2.part" && mv "$2.part" "$2"; }

need_kernel() {
    kernel=${BLUECAP_UML_KERNEL:-}
    case $kernel in
        *.xz)
            local name="$cache/given-$(sha256sum "$kernel" | cut -c1-16)"
            [ -x "$name" ] || unpack "$kernel" "$name" || die "cannot unpack $kernel"
            kernel=$name
            ;;
        "")
            kernel=$(ls -r "$cache"/linux-uml-*-x86_64 2>/dev/null | head -1)
            [ -n "$kernel" ] || unpack_shared_kernel || build_kernel
            ;;
    esac
    [ -x "$kernel" ] || die "$kernel is no kernel to run"
}

build_kernel() {
    need_packages gcc:gcc make:make flex:flex bison:bison bc:bc source:linux-source-6.1
    kernel="$cache/linux-uml-6.1-x86_64"
    say "building a kernel from linux-source-6.1 into $kernel (about seven minutes, once)"
    "$bed/host/build-kernel" "$kernel" > "$out/kernel.log" 2>&1 &
    builder=$!
    local started=$SECONDS
    trap 'kill $builder 2>/dev/null; exit 125' INT TERM
    while kill -0 $builder 2>/dev/null; do
        sleep 10
        say "kernel: $((SECONDS - started)) s, $(grep -cE '^ +(CC|AS|AR|LD) ' "$out/kernel.log") files"
    done
    trap - INT TERM
    wait $builder || die "the kernel did not build: see $out/kernel.log"
}
