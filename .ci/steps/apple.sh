# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# The libraries for Apple's platforms, and their backend over a stand-in.

# Every library target for Apple's five platforms, as far as SIL, and CoreBluetooth's names; and mistakes that have to be caught.
apple() {
    Tests/Apple/check --jobs "$jobs"
}

# Mistakes in the backend over CoreBluetooth and in the managers, each of which turns a test red.
mutations() {
    Tests/Apple/mutations --jobs "$jobs"
}

# The backend for CoreBluetooth over the stand-in of that name, in a folder of its own, with some seeds of many.
corebluetooth() {
    local -x BLUECAP_COREBLUETOOTH_STANDIN=1 BLUECAP_TESTS=CoreBluetoothStandInTests
    local -x BLUECAP_SIMULATE_SEEDS=60 BLUECAP_SIMULATE_FROM=700001
    swift build --scratch-path .build-apple --product bluecapPackageTests "${plain[@]}" && Tests/Apple/standin && Tests/Apple/rules &&
        .ci/widths.py --scratch-path .build-apple BlueCapCoreBluetooth &&
        swift test --scratch-path .build-apple --skip-build "${plain[@]}"
}
