# Sourced by `run`: what the bed needs on the host. Sets `kernel`, `python` and `bluez`.
cache="${XDG_CACHE_HOME:-$HOME/.cache}/bluecap"
shared="${BLUECAP_TESTBED_CACHE:-$bed/../../../shared/testbed}"
bumble=0.0.236
dbus_fast=5.2.0

say() { echo "test bed: $*" >&2; }
die() { say "$*"; exit 125; }

# Beds that start at the same time prepare one after another.
begin_preparing() { exec 9> "$cache/lock"; flock 9; }
end_preparing() { exec 9>&-; }

# apt COMMAND…: apt-get, which waits for ten minutes while another program holds one of apt's locks.
apt() {
    local begun=$SECONDS
    until apt-get -qq "$@" > "$out/apt.log" 2>&1; do
        grep -q 'Could not get lock\|Unable to lock\|Unable to acquire' "$out/apt.log" && [ $((SECONDS - begun)) -lt 600 ] || return 1
        [ $((SECONDS - begun)) -gt 2 ] || say "waiting for apt's lock"
        sleep 2
    done
}

# Debian packages, only those whose program is missing: a prepared machine needs no network.
need_packages() {
    local missing=() pair
    for pair in dbus-daemon:dbus xz:xz-utils "$@"; do
        case $pair in
            python-venv:*) /usr/bin/python3 -c 'import ensurepip' 2>/dev/null || missing+=(python3 python3-venv) ;;
            *) command -v "${pair%%:*}" > /dev/null || missing+=("${pair#*:}") ;;
        esac
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    command -v apt-get > /dev/null || die "needs ${missing[*]}, and there is no apt-get to install them with"
    say "installing ${missing[*]}"
    apt update || true
    DEBIAN_FRONTEND=noninteractive apt install -y --no-install-recommends "${missing[@]}" ||
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

# own_apt SUITE FOLDER: sets `own`, the options of an apt that knows that suite of Debian alone, from the mirror of this
# machine, with a source list, state and cache of its own in a new folder.
own_apt() {
    rm -rf "$2"
    mkdir -p "$2/lists/partial" "$2/cache/archives/partial"
    : > "$2/status"
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(debian_mirror) $1 main" > "$2/sources.list"
    own=(-o Dir::Etc::sourcelist="$2/sources.list" -o Dir::Etc::sourceparts=/dev/null
        -o Dir::Etc::preferencesparts=/dev/null -o Dir::State="$2" -o Dir::State::lists="$2/lists"
        -o Dir::State::status="$2/status" -o Dir::Cache="$2/cache" -o APT::Sandbox::User=root)
}

# need_bluez VERSION: Debian's own bluetoothd with the libraries and the loader that it needs, unpacked in the cache. Sets `bluez`
# to its folder, and `instead` to how it comes to be this one where only the newest was asked for.
need_bluez() {
    local suite=sid found= own folder="$cache/bluez.part"
    case $1 in
        5.66) suite=bookworm ;;
        5.82) suite=trixie ;;
        5.87 | newest) ;;
        *) die "knows bluetoothd 5.66, 5.82, 5.87 and newest, not $1" ;;
    esac
    bluez="$cache/bluez-$1" instead=
    [ "$1" != newest ] || instead=" (newest)"
    [ "$1" = newest ] || [ ! -e "$bluez/complete" ] || return 0
    own_apt "$suite" "$folder"
    mkdir -p "$folder/tree" "$folder/result/lib"
    # An update that reaches no mirror may succeed all the same.
    apt "${own[@]}" update &&
        found=$(apt-cache "${own[@]}" show --no-all-versions bluez | sed -nE 's/^Version: ([0-9.]+).*/\1/p')
    if [ -z "$found" ]; then
        bluez=$(ls -dv "$cache"/bluez-5.*/complete 2>/dev/null | tail -1)
        [ "$1" = newest ] && [ -n "$bluez" ] || die "could not read Debian's $suite: see $out/apt.log"
        bluez=${bluez%/complete} instead=" (in place of the newest: Debian's sid could not be read)"
        say "could not read Debian's $suite: the newest is $(basename "$bluez")"
        return 0
    fi
    [ "$1" = newest ] || [ "$1" = "$found" ] || die "Debian's $suite has bluetoothd $found now, not $1"
    bluez="$cache/bluez-$found"
    if [ ! -e "$bluez/complete" ]; then
        say "unpacking bluetoothd $found of Debian's $suite into $bluez"
        apt "${own[@]}" -y --no-install-recommends --download-only install bluez && unpack_bluez "$folder" &&
            rm -rf "$bluez" && mv "$folder/result" "$bluez" || die "could not unpack bluetoothd $found: see $out/apt.log"
    fi
    rm -rf "$folder"
}

# The mirror that this machine's own sources name first.
debian_mirror() {
    apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages' |
        awk '$1 ~ /\/debian\/?$/ && $2 !~ /security/ { print $1; exit }'
}

# Of the packages the daemon, its two files for the bus, the loader and the libraries.
unpack_bluez() {
    local package
    for package in "$1"/cache/archives/*.deb; do dpkg-deb -x "$package" "$1/tree" || return 1; done
    find "$1"/tree/lib/*-linux-gnu "$1"/tree/usr/lib/*-linux-gnu -maxdepth 1 -name '*.so*' \
        -exec cp -P {} "$1/result/lib/" \; 2>/dev/null
    find "$1/tree" -name bluetooth.conf -path '*/system.d/*' -exec cp {} "$1/result/" \;
    cp "$1/tree/usr/libexec/bluetooth/bluetoothd" "$1/tree/usr/share/dbus-1/system-services/org.bluez.service" "$1/result/" &&
        [ -e "$1/result/bluetooth.conf" ] && touch "$1/result/complete"
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
            # Not one of 6.1: bluetoothd hears of the end of an attempt to connect otherwise there than it was recorded.
            kernel=$(ls -r "$cache"/linux-uml-*-x86_64 2>/dev/null | grep -v '/linux-uml-6\.1[-.]' | head -1)
            [ -n "$kernel" ] || unpack_shared_kernel || build_kernel
            ;;
    esac
    [ -x "$kernel" ] || die "$kernel is no kernel to run"
}

# The newest source that Debian has for its stable release: that on which the traces were recorded is one of these.
build_kernel() {
    need_packages gcc:gcc make:make flex:flex bison:bison bc:bc
    local own package folder="$cache/kernel.part" suite=trixie-backports
    own_apt $suite "$folder"
    apt "${own[@]}" update || die "could not read Debian's $suite: see $out/apt.log"
    package=$(apt-cache "${own[@]}" search --names-only '^linux-source-[0-9]' | cut -d' ' -f1 | sort -V | tail -1)
    [ -n "$package" ] || die "Debian's $suite has no kernel source"
    kernel="$cache/${package/linux-source/linux-uml}-x86_64"
    say "building a kernel from $package into $kernel (about ten minutes, once)"
    (cd "$folder" && apt "${own[@]}" download "$package") && dpkg-deb -x "$folder"/*.deb "$folder/tree" ||
        die "could not unpack $package: see $out/apt.log"
    "$bed/host/build-kernel" "$kernel" "$folder/tree/usr/src/$package.tar.xz" > "$out/kernel.log" 2>&1 &
    builder=$!
    local started=$SECONDS
    trap 'kill $builder 2>/dev/null; exit 125' INT TERM
    while kill -0 $builder 2>/dev/null; do
        sleep 10
        say "kernel: $((SECONDS - started)) s, $(grep -cE '^ +(CC|AS|AR|LD) ' "$out/kernel.log") files"
    done
    trap - INT TERM
    wait $builder || die "the kernel did not build: see $out/kernel.log"
    rm -rf "$folder"
}
