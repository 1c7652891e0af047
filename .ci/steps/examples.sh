# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# The packages of Examples, the programs of two of which the steps of other areas use.

# The web server is built beside the others, which wait for what they print.
examples() {
    local server bad=0
    web > "$logs/web.log" 2>&1 &
    server=$!
    outsider && app_tests && phone_tests && mac_checks && prints Central 20 '^x ' && prints Peripheral 20 '^x ' &&
        prints Beacon 5 '^beacon 1\.7 ' &&
        prints Beacons 1 '^region outside' && prints CentralWithProfile 1 'Body Sensor Location: Wrist' &&
        prints PeripheralWithProfile 20 ' bpm, ' && prints HeartRateMonitor 20 ' bpm' && prints Logger 65 ',Cellar,' &&
        prints Gateway 20 '^Gateway says ' && prints UARTBridge 2 '^(HELLO|WORLD)$' < <(printf 'hello\nworld\n') &&
        prints Daemon 20 '^mean ' &&
        python3 Tests/Tool/notify_socket.py .build-examples/debug/Daemon --virtual --stay || bad=1
    wait $server || bad=1
    cat "$logs/web.log"
    return $bad
}

# The server needs traits that the others do without, so that it is built in a folder of its own.
web() {
    swift build --package-path Examples/Web --scratch-path .build-web "${program[@]}" || return 1
    python3 Tests/Tool/web_streams.py .build-web/debug/Web
}

# prints EXAMPLE COUNT PATTERN: builds the example, and tells whether it prints that many such lines, with what there is on standard
# input, and then ends by itself.
# One folder for all, as they build the same library; each build takes away the program of the one before, so a copy is kept for the
# test bed.
prints() {
    local output
    swift build --package-path "Examples/$1" --scratch-path .build-examples "${plain[@]}" < /dev/null || return 1
    mkdir -p "$logs/examples" && cp ".build-examples/debug/$1" "$logs/examples/" || return 1
    output=$(timeout $((60 * patience)) ".build-examples/debug/$1" --virtual) || { echo "$1: status $?: $output"; return 1; }
    [ "$(grep -cE "$3" <<< "$output")" -ge "$2" ] || { echo "$1 printed:"; echo "$output"; return 1; }
}

# The backend of a package of its own, which sees no more of this one than everybody does. Its tests run the parts of the
# conformance suite that it names: so many behaviours at the least.
outsider() {
    local output shown
    grep -rnE '@testable|@_spi' Examples/Backend/Sources Examples/Backend/Tests && return 1
    output=$(swift test --package-path Examples/Backend --scratch-path .build-examples "${plain[@]}" 2>&1) ||
        { echo "$output"; return 1; }
    shown=$(sed -nE 's/^✔ Test "of the .* role" with ([0-9]+) test cases passed .*/\1/p' <<< "$output" |
        awk '{ sum += $1 } END { print sum + 0 }')
    echo "Backend shows $shown behaviours"
    [ "$shown" -ge 200 ] || { echo "$output"; return 1; }
}

# The checks that Tests/Apple/on-a-mac runs against a second device, over a virtual radio.
mac_checks() {
    swift build --package-path Tests/Apple/OnAMac --scratch-path .build-examples "${plain[@]}" || return 1
    timeout $((120 * patience)) .build-examples/debug/OnAMac --virtual
}

# The tests of a small app, which the article about tests quotes: six of them at the least.
app_tests() {
    local output
    output=$(swift test --package-path Examples/AppTests --scratch-path .build-examples "${plain[@]}" 2>&1) ||
        { echo "$output"; return 1; }
    grep -E '^✔ Test run with ([6-9]|[1-9][0-9]+) tests' <<< "$output" || { echo "$output"; return 1; }
}

# The tool and an example over one virtual radio, each in a process of its own.
shared_radio() {
    swift build --package-path Examples/Lock --scratch-path .build-examples "${plain[@]}" || return 1
    python3 Tests/Tool/shared_radio.py .build/debug/bluecap .build-examples/debug/Lock
}

# The tool and the examples end in order in each way in which systems end programs.
signals() {
    python3 Tests/Tool/signals.py .build/debug/bluecap "$logs/examples"
}

# The tests of the app for a phone, without its views, which need SwiftUI: five of them at the least.
phone_tests() {
    local output
    output=$(swift test --package-path Examples/SwiftUI --scratch-path .build-examples "${plain[@]}" 2>&1) ||
        { echo "$output"; return 1; }
    grep -E '^✔ Test run with ([5-9]|[1-9][0-9]+) tests' <<< "$output" || { echo "$output"; return 1; }
}
