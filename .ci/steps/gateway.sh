# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# The traits that are off by default, and the gateway.

# The other traits, in a folder of their own: with macros, which `traits` has, SwiftPM builds the tests for the machine that compiles,
# and programs once more. The gateway is in no build without its trait, so it is looked at here as the others are after `build`.
extras() {
    # A session on the machine's own time, whose clients have to answer within seconds: beside all others they would not.
    local alone='ProxySessionTests'
    with_extras swift build --product bluecapPackageTests && .ci/widths.py --scratch-path .build-extras BlueCapGateway &&
        .ci/towers.py .build-extras/debug && with_extras swift test --skip-build --skip "$alone" &&
        with_extras swift test --skip-build --filter "$alone"
}

# with_extras COMMAND…: a command of SwiftPM with all traits but Macros, and the tests that need them.
with_extras() {
    BLUECAP_BTHOME=1 BLUECAP_TESTS=BlueCapBeaconTests,BlueCapESPHomeTests,BlueCapGatewayTests,BlueCapServiceTests \
        traited extras "$@" --traits BlueZ,Configuration,Crypto,ESPHome,Gateway,Metrics,ServiceLifecycle \
        --scratch-path .build-extras "${plain[@]}"
}

# Encrypted frames between the library and the decoder of Home Assistant.
bthome() {
    with_extras swift build --product bluecap-bthome && Tests/Tool/bthome .build-extras/debug/bluecap-bthome --seed "$first_seed"
}

# The formats of sensors between the library and decoders of others.
sensor_formats() {
    with_extras swift build --product bluecap-sensor-formats && Tests/Tool/sensor_formats .build-extras/debug/bluecap-sensor-formats
}

# The gateway between virtual sensors and mosquitto, with a foreign subscriber, and its package.
gateway() {
    with_extras swift build --product bluecap && Tests/Tool/gateway .build-extras/debug/bluecap &&
        .packaging/check-deb .build-extras/debug/bluecap --gateway --proxy &&
        .packaging/check .build-extras/debug/bluecap --proxy
}

# The proxy, used by the clients of Home Assistant.
proxy() {
    with_extras swift build --product bluecap && Tests/Tool/proxy .build-extras/debug/bluecap
}

# The real Home Assistant, which hears and connects through the proxy.
home_proxy() {
    command -v avahi-daemon > /dev/null || apt-get install -y -qq --no-install-recommends avahi-daemon || return 1
    with_extras swift build --product bluecap && Tests/Tool/home_proxy .build-extras/debug/bluecap
}

# The gateway and the proxy in one program, each with its foreign clients.
gateway_and_proxy() {
    with_extras swift build --product bluecap && with_clients Tests/Tool/gateway_and_proxy .build-extras/debug/bluecap
}

# The same clients over the oldest and the newest bluetoothd of the bed, side by side.
proxy_in_bed() {
    local version bed beds=() bad=0
    Tests/Tool/gateway --install && with_clients true || return 1
    for version in 5.66 newest; do
        (
            set -o pipefail
            Tests/TestBed/run --bluez $version --adapters 1 --limit $((150 * patience)) --logs "$logs/proxy-$version" -- \
                bash -c '"$BED_PYTHON" Tests/Tool/proxy_in_bed.py .build-extras/debug/bluecap' 2>&1 | sed -u "s/^/$version: /"
        ) &
        beds+=($!)
    done
    for bed in "${beds[@]}"; do wait "$bed" || bad=1; done
    return $bad
}

# with_clients COMMAND…: a command that uses the clients of Home Assistant, which Tests/Tool/proxy installs.
with_clients() {
    ls "${XDG_CACHE_HOME:-$HOME/.cache}"/bluecap/venv-esphome-*/complete > /dev/null 2>&1 || proxy || return 1
    "$@"
}

# The gateway between a far sensor and mosquitto, while bluetoothd and the adapter go away and come back.
gateway_in_bed() {
    Tests/TestBed/run --adapters 1 --limit $((150 * patience)) -- \
        bash -c '"$BED_PYTHON" Tests/Tool/gateway_in_bed.py .build-extras/debug/bluecap'
}

# The real Home Assistant behind that broker.
home_assistant() {
    with_extras swift build --product bluecap && Tests/Tool/home_assistant .build-extras/debug/bluecap
}

# The nine steps above: four of them mostly wait.
gateways_beside() {
    local others bad=0
    { home_assistant && gateway_in_bed && home_proxy; } > "$logs/gateway-others.log" 2>&1 &
    others=$!
    bthome || bad=1
    sensor_formats || bad=1
    gateway || bad=1
    proxy || bad=1
    gateway_and_proxy || bad=1
    proxy_in_bed || bad=1
    wait $others || bad=1
    cat "$logs/gateway-others.log"
    return $bad
}

# The gateway in simulated time: each device has one owner in a group of gateways, it comes back in days of faults, and keeps its
# memory in a flood of sightings.
gateway_trials() {
    local bad=0
    owners 6 || bad=1
    with_extras swift build --product bluecap-gateway-trial &&
        BLUECAP_SIMULATE_FROM=$first_seed Tests/Tool/gateway_trials .build-extras/debug/bluecap-gateway-trial 2 20 || bad=1
    return $bad
}

# owners COUNT: groups of gateways with so many seeds that nothing has played before, and with sensors so many of known ones, which play
# for longer.
owners() {
    with_extras swift build --product bluecapPackageTests || return 1
    seeds "$1" "$first_seed" '^seed ' 'one gateway of 20' && seeds "$1" 1 '^sensors of seed ' 'their newest values' &&
        echo "$1 passed, 0 failed"
}

# seeds COUNT FIRST LINE TEST: a test that plays so many seeds, and prints a line for each. It is run without SwiftPM, which would keep the
# steps beside this one from building in the same folder, and would build all of it again for other variables.
seeds() {
    local output status
    output=$(NO_COLOR=1 BLUECAP_SIMULATE_FROM=$2 BLUECAP_SIMULATE_SEEDS=$1 \
        .build-extras/debug/bluecapPackageTests.xctest --testing-library swift-testing --filter "$4" 2>&1)
    status=$?
    echo "$output"
    # A filter that finds nothing is no failure.
    [ $status = 0 ] && [ "$(grep -c "$3" <<< "$output")" = "$1" ] && return
    echo "run it again: BLUECAP_SIMULATE_FROM=$2 BLUECAP_SIMULATE_SEEDS=$1 swift test --filter '$4'"
    return 1
}

# More of both, in a release build: 18 million sightings take three minutes of a processor, and the build five.
gateway_flood() {
    with_extras swift build -c release --product bluecap-gateway-trial &&
        Tests/Tool/gateway_trials .build-extras/release/bluecap-gateway-trial 30 1000
}

# What a message costs the gateway, and how much memory it takes, beside TheengsGateway, in a release build.
beside_theengs() {
    with_extras swift build -c release --product bluecap && Tests/Tool/beside_theengs .build-extras/release/bluecap
}
