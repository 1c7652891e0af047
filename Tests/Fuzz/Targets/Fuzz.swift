// SPDX-License-Identifier: MIT

import BlueCapPlatform

/// The fuzz targets: each hands the fuzzer's bytes to a group of decoders.
enum FuzzTarget: String, CaseIterable {
    case values
    case health
    case sensing
    case vendors
    case advertisements
    case dbus
    case frames
    case headers
    case sequences
    case bluez
    case texts
    case captures
    case proxy
    case formats

    /// Makes the function that runs on each input.
    func makeBody() -> (inout FuzzInput) -> Void {
        switch self {
        case .values: ValueFuzzer().run
        case .health: ProfileFuzzer(ProfileFuzzer.health).run
        case .sensing: ProfileFuzzer(ProfileFuzzer.sensing, decoders: ProfileFuzzer.descriptors).run
        case .vendors: ProfileFuzzer(ProfileFuzzer.vendors).run
        case .advertisements: AdvertisementFuzzer().run
        case .dbus: DBusFuzzer().run
        case .frames: FrameFuzzer().run
        case .headers: HeaderFuzzer().run
        case .sequences: SequenceFuzzer().run
        case .bluez: BlueZFuzzer().run
        case .texts: TextFuzzer().run
        case .captures: CaptureFuzzer().run
        case .proxy: ProxyFuzzer().run
        case .formats: SensorFormatFuzzer().run
        }
    }

    /// The target that the environment names: the fuzzer starts itself again with arguments of its own making.
    static func fromEnvironment() -> FuzzTarget {
        let name = unsafe getenv("BLUECAP_FUZZ_TARGET").map { unsafe String(cString: $0) } ?? ""
        guard let target = FuzzTarget(rawValue: name) else {
            let names = allCases.map(\.rawValue).joined(separator: ", ")
            fail("BLUECAP_FUZZ_TARGET is '\(name)'; it names one of \(names)")
        }
        return target
    }
}

// SAFETY: libFuzzer calls from one thread only.
nonisolated(unsafe) private let body = FuzzTarget.fromEnvironment().makeBody()

/// Takes one input of libFuzzer.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = FuzzInput(unsafe Array(UnsafeBufferPointer(start: start, count: count)))
    unsafe body(&input)
    return 0
}
