# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# The tool, without hardware.

# Twenty samples in the demo's output, which must end by itself: a tenth of a second apart, and of a tag that moves.
demo() {
    local output samples began=${EPOCHREALTIME/./} milliseconds
    output=$(timeout $((60 * patience)) "$1" demo --json --samples 20) || return 1
    milliseconds=$(((${EPOCHREALTIME/./} - began) / 1000))
    samples=$(grep '"event":"sample"' <<< "$output" | sed 's/"index":[0-9]*,//')
    echo "$(wc -l <<< "$samples") samples, $(sort -u <<< "$samples" | wc -l) of them different, in $milliseconds ms"
    [ "$(wc -l <<< "$samples")" = 20 ] && [ "$(sort -u <<< "$samples" | wc -l)" -ge 10 ] && [ $milliseconds -ge 1800 ]
}

# Each row of the tool's tables of features, in virtual worlds; most of the time is theirs.
features() {
    Tests/Tool/features.py .build/debug/bluecap
}

# The README's picture can be drawn: three curves that many dots make.
picture() {
    .ci/picture.py "$logs/demo.svg" .build/debug/bluecap demo --samples 60 --period 20 && [ "$(grep -c '<circle' "$logs/demo.svg")" -ge 100 ]
}

packaging() {
    .packaging/check .build/debug/bluecap --jobs "$jobs" && .packaging/check-deb .build/debug/bluecap &&
        .packaging/check-container .build/debug/bluecap
}

# As on a machine without libdbus-1-dev, whose header is in a folder that only pkg-config knows: here that knows nothing.
without_traits() {
    mkdir -p "$logs/hidden"
    ln -sf /bin/false "$logs/hidden/pkg-config"
    PATH=$logs/hidden:$PATH swift build --disable-default-traits --scratch-path .build-variants --product bluecap "${program[@]}" || return 1
    [ -s .build-variants/debug.yaml ] && ! grep -o dbus-1.0 .build-variants/debug.yaml || return 1
    demo .build-variants/debug/bluecap || return 1
    unavailable .build-variants/debug/bluecap 'trait BlueZ' || return 1
    doctored .build-variants/debug/bluecap
}

# Doctor finds that a program has no BlueZ, says what mends it, and ends with 69.
doctored() {
    local output status
    output=$("$1" doctor 2> /dev/null); status=$?
    echo "status $status: $output"
    [ $status = 69 ] && grep -q '^FAULT *build .*without the BlueZ backend' <<< "$output" &&
        grep -qF -- '--disable-default-traits' <<< "$output"
}

# A program without BlueZ ends a scan with 69 and says why.
unavailable() {
    local errors status
    errors=$("$1" scan --duration 1 2>&1 > /dev/null); status=$?
    echo "status $status: $errors"
    [ $status = 69 ] && grep -qF "$2" <<< "$errors"
}

# Seeds that nothing has played before: on the virtual radio, with programs that are killed, and over a message bus with a
# scripted bluetoothd.
simulation() {
    .build/debug/bluecap-simulate --from "$first_seed" --seeds 1000 --jobs "$jobs" || return 1
    .build/debug/bluecap-simulate --kills --from "$first_seed" --seeds 300 --jobs "$jobs" || return 1
    BLUECAP_SIMULATE_FROM=$first_seed BLUECAP_SIMULATE_SEEDS=100 swift test --skip-build --filter FakeSimulationTests || return 1
    simulated_apps 25
}

# simulated_apps COUNT: so many new seeds for each app of an article, and for each product of the tests.
simulated_apps() {
    BLUECAP_SIMULATE_FROM=$first_seed BLUECAP_SIMULATE_SEEDS=$1 swift test --skip-build \
        --filter '(SharedStrap|Treadmill|Thermometers|Firmware|Provisioning|SoilSensor)SimulationTests/.*after every fault'
}
