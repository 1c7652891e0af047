# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# The suite, the tool and the examples under a real bluetoothd.

# testbed VERSION…: the suite on these versions of bluetoothd side by side: the oldest that the bed has and the newest that there
# is, or the one between them. Nothing is tried again, and a crash of bluetoothd is a failure. Each is held to the recordings of
# what it says; Tests/TestBed/README.md says of which, and what to do when Debian has a bluetoothd that says something else. What
# only waits, for ten seconds or longer, does so in a guest of its own, beside the others, before what needs two adapters; of
# the newest, such traces are shown by name only.
testbed() {
    local version bed name beds=() bad=0 waits=() slow=() others=()
    for name in "back within two seconds" "connects at its return" "when its characteristic is taken away" \
        "stands still says so" "interval that is changed on the air" "keeps advertising the same is not" \
        "gives up a peripheral that is away for longer" "bluetoothd is without -E" "when the next one is without -E" \
        "kernel goes on for a bluetoothd that was killed" "advertisement with a timeout is off the air" \
        "by its signal a device is lost" "60 packets in three seconds"; do
        waits+=(--filter "$name") others+=(--skip "$name")
    done
    for name in pair-refused pair-without-agent connect-unreachable unanswered-read; do
        slow+=(--filter "the trace $name") others+=(--skip "the trace $name")
    done
    for version in "$@"; do
        in_bed "$version" 1 others "${others[@]}" &
        beds+=($!)
        [ "$version" != newest ] || slow=()
        waits_and_pairs "$version" "${waits[@]}" "${slow[@]}" &
        beds+=($!)
    done
    for bed in "${beds[@]}"; do wait "$bed" || bad=1; done
    return $bad
}

# The suite with the newest bluetoothd as a container has it. The traces are of bluetoothd alone, and one behaviour changes the bus's
# policy, as its administrator.
testbed_confined() {
    Tests/TestBed/run --bluez newest --confined --adapters 1 --limit $((2600 * patience)) -- bluecap-testbed \
        --skip "the trace" --skip "is refused bluetoothd's objects"
}

# waits_and_pairs VERSION OPTION…: what the options name, with one adapter, and after that all that needs two.
waits_and_pairs() {
    local bad=0
    in_bed "$1" 1 waits "${@:2}" || bad=1
    in_bed "$1" 2 pairs || bad=1
    return $bad
}

# in_bed VERSION ADAPTERS NAME [OPTION…]: a part of the suite on that bluetoothd, each line with the version before it.
in_bed() (
    set -o pipefail
    Tests/TestBed/run --bluez "$1" --adapters "$2" --logs "$logs/bed-$1-$3" -- bluecap-testbed "${@:4}" 2>&1 | sed -u "s/^/$1: /"
)

# Of the fault matrix, which takes a quarter of an hour, what runs unattended for longest, against the article that
# Tests/TestBed/matrix writes: each row has to be the same, and no time much longer.
fault_matrix() { matrix_against --filter --limit $((500 * patience)); }

# The rows that this leaves.
fault_matrix_others() { matrix_against --skip --limit $((1800 * patience)); }

# matrix_against FILTER OPTION…: the rows of each run, or all others.
matrix_against() {
    Tests/TestBed/run "${@:2}" --adapters 1 -- bluecap-testbed --matrix \
        --against Sources/BlueCapBlueZ/Documentation.docc/FaultMatrix.md "$1" "matrix: being notified while" \
        "$1" "matrix: advertising" "$1" "matrix: notifying"
}

# The three steps that take the bed one after another, beside the tool's, which takes longest: two guests leave the machine half idle.
in_bed_beside() {
    local part parts=(fault_matrix twin_in_bed daemon_in_bed) tool bad=0
    tool_in_bed > "$logs/tool-in-bed.log" 2>&1 &
    tool=$!
    for part in "${parts[@]}"; do "$part" || bad=1; done
    wait $tool || bad=1
    cat "$logs/tool-in-bed.log"
    return $bad
}

tool_in_bed() {
    Tests/TestBed/run --limit $((500 * patience)) -- bash -c '"$BED_PYTHON" Tests/Tool/tool_in_bed.py .build/debug/bluecap'
}

# A foreign device, its twins, and a foreign central.
twin_in_bed() {
    Tests/Tool/twin_in_bed "$PWD/.build/debug/bluecap"
}

# The programs of `examples` under a real bluetoothd: one is killed and started again, as bluetoothd is, and all are ended beside one
# that stands still.
daemon_in_bed() {
    [ -x .build-examples/debug/Daemon ] || { echo "error: there is no program Daemon, which the step examples builds"; return 1; }
    Tests/TestBed/run --adapters 1 --limit $((360 * patience)) -- \
        bash -c '"$BED_PYTHON" Tests/Tool/daemon_in_bed.py .build-examples/debug/Daemon .build-ci/examples'
}
