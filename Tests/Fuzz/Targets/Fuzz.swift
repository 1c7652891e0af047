// SPDX-License-Identifier: MIT

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
}
