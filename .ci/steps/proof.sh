# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# Measurements, sanitizers, and random bytes.

# The instructions of SerDe and of the pipeline, side by side, as other programs on the processors do not change them.
speed() {
    local serde bad=0
    speed_build || return 1
    Benchmarks/instructions > "$logs/instructions.log" 2>&1 &
    serde=$!
    Benchmarks/pipeline --gate || bad=1
    wait $serde || bad=1
    cat "$logs/instructions.log"
    return $bad
}

# The values from the millionth on, against those from the thousandth on.
million() {
    Benchmarks/pipeline --gate --rows 'late-*' linear-notify --late 1000000
}

# The products that `instructions` and `pipeline` build, in the folders in which they do. The second has no module that the first has not.
speed_build() {
    local product
    for product in Pipeline Instructions; do
        swift build -c release --package-path Benchmarks --scratch-path Benchmarks/.build --product $product || return 1
    done
    BLUECAP_COREBLUETOOTH_STANDIN=1 swift build -c release --scratch-path Benchmarks/.build/stand-in --product bluecap-notified-values
}

# The tests in three processes, one after the other in each, which take about as long: the worlds, of which those over a socket mostly wait,
# the gateway, most of whose time one table of values takes, and the others. But for those of four targets whose code runs in one
# thread, for those of the tool, which start it hundreds of times, and for the articles' code, which takes a sixth of the time to use what
# the others do.
sanitizer() {
    local part parts=() bad=0 targets worlds='^BlueCap(Conformance|SharedRadio|Testing)Tests\.' gateway='^BlueCapGatewayTests\.'
    sanitizer_build && rooms || return 1
    rm -f "$logs"/sanitizer-*.log
    sanitized --filter "$worlds" > "$logs/sanitizer-worlds.log" 2>&1 &
    parts+=($!)
    sanitized --filter "$gateway" > "$logs/sanitizer-gateway.log" 2>&1 &
    parts+=($!)
    sanitized --skip "$worlds|$gateway" 2>&1 | tee "$logs/sanitizer-others.log"
    [ "${PIPESTATUS[0]}" = 0 ] || bad=1
    for part in "${parts[@]}"; do wait "$part" || bad=1; done
    cat "$logs"/sanitizer-{worlds,gateway}.log
    [ $bad = 0 ] && ! grep -h 'WARNING: ThreadSanitizer' "$logs"/sanitizer-*.log
}

# The tool and its tests, of which two suites mostly wait, and the articles' code.
sanitizer_tool() {
    local part bad=0 targets=BlueCapCommandTests,BlueCapDocumentationTests waits='\.(SilentDaemon|Executable)Tests'
    sanitizer_build --build-tests && rooms || return 1
    sanitized --filter "$waits" > "$logs/sanitizer-waits.log" 2>&1 &
    part=$!
    sanitized --skip "$waits" || bad=1
    wait $part || bad=1
    cat "$logs/sanitizer-waits.log"
    [ $bad = 0 ] && ! grep -h 'WARNING: ThreadSanitizer' "$logs"/sanitizer-{tool,waits}.log
}

# Kernels that spread addresses widely leave the sanitizer no room: sets `fixed` to what switches that off, where it is allowed.
rooms() {
    fixed=()
    ! setarch -R true 2> /dev/null || fixed=(setarch -R)
}

# sanitizer_build [OPTION]: builds the tests of `targets`, or else of those that the sanitizer looks at in each run. Two are empty without
# traits.
sanitizer_build() {
    local others='/BlueCap(SerDe|Profiles|Terminal|Capture|Command|Documentation|Macros|Service)Tests$'
    targets=${targets:-$(ls -d Tests/*Tests | grep -vE "$others" | sed 's|.*/||' | paste -sd,)}
    with_threads swift build "${@:---product=bluecapPackageTests}"
}

# with_threads COMMAND…: a command of SwiftPM for the tests of `targets`. The gateway's are empty without its trait.
with_threads() {
    local place=(env) gateway=()
    [[ $targets != *Gateway* ]] || place=(traited threads) gateway=(--traits BlueZ,Gateway)
    BLUECAP_TESTS=$targets "${place[@]}" "$@" "${gateway[@]}" --sanitize thread --scratch-path .build-tsan "${plain[@]}"
}

# sanitized OPTION…: some of the tests that `sanitizer` built. SwiftPM would let only one process use them at a time, to build. The
# burst and the limits measure memory, of which the sanitizer takes more; ten tests read or play thousands of values in one thread, and two
# suites whole pages, where no race can be; two count what a thousand rounds leave behind, which others show in fewer; the tests of help
# and of printed text start the tool some hundred times to look at its output alone; those of the gateway's broker and metrics have not
# been tried with it.
sanitized() {
    local one='more values than|claims more than there is|read after others|mutated messages|costs a few steps for each'
    one+='|journal that is cut|behind a right checksum|one gateway of 20'
    TSAN_OPTIONS=suppressions=$PWD/.ci/thread-sanitizer.suppressions with_threads "${fixed[@]}" swift test \
        --skip-build --ignore-lock --no-parallel --skip BurstTests --skip 'cost less than' --skip "$one" --skip 'takes up all limits' \
        --skip 'over a thousand rounds' --skip HelpTests --skip 'no command prints' --skip 'MovingGuideTests|ProfileReferenceTests' \
        --skip 'BrokerTests|GatewayMeterTests|MetricsServerTests' "$@"
}

# Random bytes for everything that decodes what comes off the radio or the bus.
fuzz() {
    Tests/Fuzz/run --debug --runs 10000 --seed "$first_seed" --jobs "$jobs" "$@"
}

# The layer that hands memory to libdbus and takes it, with AddressSanitizer, which also reports what nothing refers to any more
# when the tests have ended. The burst measures memory, of which that takes more; other tests limit it, so that less of what was
# freed can be kept back.
memory() {
    with_addresses swift build --product bluecapPackageTests &&
        LSAN_OPTIONS=suppressions=$PWD/.ci/leak-sanitizer.suppressions ASAN_OPTIONS=detect_leaks=1:quarantine_size_mb=8 \
            with_addresses swift test --skip-build --skip BurstTests
}

with_addresses() {
    BLUECAP_TESTS=BlueCapDBusTests,BlueCapLoopTests "$@" --sanitize address --scratch-path .build-asan "${plain[@]}"
}

# Builds of the last steps, one beside the other, which take the time of the processors that the steps before leave. Their steps begin
# with the same builds, and tell why one fails. A release build compiles one module at a time.
ahead() {
    local product targets
    {
        Tests/Tool/home_assistant --install
        speed_build
        with_traits swift build --product bluecapPackageTests
        with_addresses swift build --product bluecapPackageTests
        fuzz --build
    } &
    sanitizer_build
    for product in bluecapPackageTests bluecap-bthome bluecap bluecap-gateway-trial; do
        with_extras swift build --product "$product"
    done
    wait
}
