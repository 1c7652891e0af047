# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# The sources as text and as a build, and their tests.

packages() {
    local missing=() pair
    for pair in dbus-daemon:dbus python3:python3 git:git valgrind:valgrind pkg-config:pkg-config chromium:chromium \
        mosquitto:mosquitto mosquitto_pub:mosquitto-clients openssl:openssl lintian:lintian; do
        command -v "${pair%%:*}" > /dev/null || missing+=("${pair#*:}")
    done
    pkg-config dbus-1 || missing+=(libdbus-1-dev)
    pkg-config libmosquitto || missing+=(libmosquitto-dev)
    [ ${#missing[@]} = 0 ] && { echo "nothing to install"; return; }
    echo "installing ${missing[*]}"
    apt-get update -qq && apt-get install -y -qq --no-install-recommends "${missing[@]}"
}

lint() {
    swift format lint --strict --configuration .swift-format -r Package.swift Sources Tests \
        Examples/*/Package.swift Examples/*/Sources Examples/*/Tests Benchmarks/Package.swift Benchmarks/Sources \
        Benchmarks/SerDe && .ci/words.py
}

# Layers that must not know of each other, those that must do without Foundation, and the names of files and targets.
imports() {
    local bad=0 hits
    hits=$(grep -rnE '^[^/"]*\bimport ([a-z]+ )?BlueCap(BlueZ|Virtual|Profiles|VendorProfiles|Beacon|CoreBluetooth|Testing|DBus)?\b' \
        Sources/BlueCapCore --include='*.swift') && { echo "Core knows a backend:"; echo "$hits"; bad=1; }
    hits=$(grep -rnE '^[^/"]*\bimport ([a-z]+ )?Foundation' Sources/BlueCapCore Sources/BlueCapVirtual Sources/BlueCapDBus Sources/BlueCapLoop \
        Sources/BlueCapKernel Sources/BlueCapJSON Sources/BlueCapRuntime Sources/BlueCapBlueZ Sources/BlueCapProfiles Sources/BlueCapVendorProfiles Sources/BlueCapBeacon \
        Sources/BlueCap --include='*.swift' |
        grep -v '^Sources/BlueCap/Foundation/') &&
        { echo "Foundation where it must not be:"; echo "$hits"; bad=1; }
    hits=$(grep -rlE 'import Foundation' Sources/BlueCapSerDe --include='*.swift' | grep -v '/Foundation+SerDe.swift$') &&
        { echo "Foundation in more than one file of SerDe:"; echo "$hits"; bad=1; }
    hits=$(grep -rlE 'import Foundation' Sources/BlueCapCapture --include='*.swift' | grep -v '/Twin+JSON.swift$') &&
        { echo "Foundation in more than one file of Capture:"; echo "$hits"; bad=1; }
    hits=$(grep -rnE '\b(try!|fatalError\(|Task\.detached)' Sources --include='*.swift') &&
        { echo "not allowed:"; echo "$hits"; bad=1; }
    hits=$(find Sources Tests Examples Benchmarks -name '*.swift' -not -path '*/.build*' -exec awk 'FNR == 501 { print FILENAME }' {} +)
    [ -z "$hits" ] || { echo "files of more than 500 lines:"; echo "$hits"; bad=1; }
    hits=$(find Sources/BlueCapGateway Tests/BlueCapGatewayTests -name '*.swift' -exec awk '
        FNR == 3 { if (!/^#if Gateway( |$)/) print FILENAME; nextfile }' {} +)
    [ -z "$hits" ] || { echo "not empty without the trait Gateway:"; echo "$hits"; bad=1; }
    licences || bad=1
    .ci/house.py || bad=1
    return $bad
}

# Each source file, and each script, says at its head under which licence it is.
licences() {
    local files hits
    files=$(git ls-files --cached --others --exclude-standard) && [ "$(wc -l <<< "$files")" -gt 1000 ] ||
        { echo "git lists too few files"; return 1; }
    hits=$(tr '\n' '\0' <<< "$files" | LC_ALL=C xargs -0 awk '
        FNR == 1 { code = FILENAME ~ /\.(swift|c|h|modulemap|py|yml)$/ || /^#!/; named = 0 }
        /^(\/\/|#) SPDX-License-Identifier: MIT$/ { named = 1 }
        FNR == 2 { if (code && !named) print FILENAME; nextfile }')
    [ -z "$hits" ] || { echo "no SPDX line in:"; echo "$hits"; return 1; }
}

# The tests and the test bed use the same products, so that nothing is built twice. Warnings are errors all the same: `warnings` looks
# for them. The compiler says nothing of a file that it need not compile again, so what it said of each build is kept until the build is
# removed.
build() {
    [ -d .build/debug ] || rm -f "$logs/compiler.log"
    swift build --build-tests --jobs "$jobs" 2>&1 | tee -a "$logs/compiler.log"
    return "${PIPESTATUS[0]}"
}

warnings() {
    grep -q Compiling "$logs/compiler.log" || { echo "there is no log of a build"; return 1; }
    ! grep -B2 -A4 -E '(^|[^a-z])warning: ' "$logs/compiler.log"
}

# SerDe and both targets of profiles in Embedded mode, for three microcontrollers with an `Int` of 32 bits and for this machine, on which a
# program with a declared service is run. Modules of Embedded mode have all of their code in them, so nothing is linked but the
# program; Unicode's tables come with the compiler.
embedded() {
    local folder=$logs/embedded target=x86_64-unknown-linux-gnu tables
    rm -rf "$folder" && mkdir -p "$folder"
    export -f embedded_modules embedded_swift
    printf '%s\n' armv7em-none-none-eabi riscv32-none-none-eabi wasm32-unknown-none-wasm $target |
        xargs -P "$jobs" -I{} bash -c 'embedded_modules "$@"' embedded_modules "$folder" {} || return 1
    tables=$(dirname "$(readlink -f "$(command -v swift)")")/../lib/swift/embedded/$target
    embedded_swift $target -I "$folder/$target" -module-name Firmware Tests/Embedded/main.swift \
        Tests/BlueCapProfilesTests/Embedded/SoilService.swift -L "$tables" -lswiftUnicodeDataTables -lm -o "$folder/firmware" || return 1
    "$folder/firmware"
}

# embedded_modules FOLDER TARGET: the three modules for a target.
embedded_modules() {
    local module
    mkdir -p "$1/$2"
    for module in BlueCapSerDe BlueCapProfiles BlueCapVendorProfiles; do
        find "Sources/$module" -name '*.swift' -print0 | xargs -0 bash -c 'embedded_swift "$@"' embedded_swift "$2" \
            -parse-as-library -I "$1/$2" -module-name $module -emit-module -emit-module-path "$1/$2/$module.swiftmodule" || return 1
        echo "$2: $module"
    done
}

# embedded_swift TARGET ARGUMENT…: the compiler in Embedded mode, otherwise with the settings of Package.swift.
embedded_swift() {
    local feature settings=()
    for feature in ExistentialAny MemberImportVisibility InternalImportsByDefault; do settings+=(-enable-upcoming-feature $feature); done
    swiftc -target "$1" -wmo -swift-version 6 -package-name bluecap -enable-experimental-feature Embedded -enable-experimental-feature Lifetimes \
        "${settings[@]}" -suppress-warnings "${@:2}"
}

tests() {
    [ -n "$tests_command" ] || { echo "README.md does not name the command that runs the tests"; return 1; }
    echo "+ $tests_command"
    bash -c "$tests_command"
}

# A default build fetches two packages, and none that the traits need which are off by default. With that of the macros nothing is built
# that their tests do not need; swift-syntax takes most of the time. The example `Web` has two of the other traits.
traits() {
    graph && with_traits swift build --product bluecapPackageTests && with_traits swift test --skip-build
}

# The packages of a default build, resolved anew.
graph() {
    local folder=$logs/graph fetched
    rm -rf "$folder"
    apart graph swift package resolve --scratch-path "$folder" || return 1
    fetched=$(ls "$folder/checkouts" | paste -sd' ')
    echo "a default build fetches $fetched"
    [ "$fetched" = 'swift-argument-parser swift-log' ]
}

with_traits() {
    BLUECAP_TESTS=BlueCapMacrosTests apart traits "$@" --disable-default-traits --traits Macros --scratch-path .build-traits \
        "${plain[@]}"
}

# apart NAME COMMAND…: a command of SwiftPM for the package in another folder, which has links to its files, so that the versions that
# its traits need are not left to the builds without.
apart() {
    local folder=$logs/apart/$1
    # Once, as ln takes a link away before it makes another, and a build beside this one would find none.
    [ "$(readlink "$folder/Tests")" = "$PWD/Tests" ] ||
        { mkdir -p "$folder" && ln -sfn "$PWD"/{Package.swift,Sources,Tests} "$folder/"; } || return 1
    "${@:2}" --package-path "$folder"
}

# traited NAME COMMAND…: the same with several traits. SwiftPM hands them to the compiler in the order of a set, which is another one in
# each process, so that each build would compile all modules again.
traited() {
    local order=()
    [[ " ${*:2} " != *" swift build "* ]] || order=(env SWIFT_DETERMINISTIC_HASHING=1)
    apart "$1" "${order[@]}" "${@:2}"
}
