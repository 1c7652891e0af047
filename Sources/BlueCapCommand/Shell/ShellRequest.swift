// SPDX-License-Identifier: MIT

/// A request to the shell's radio, made by a line or by a key.
enum ShellRequest: Sendable {
    /// Scans for so long; without an end, until it is interrupted.
    case scan(Duration?)
    /// Lets time pass, for values to come.
    case wait(Duration)
    /// Connects to a device by its number in the list, its name or its identifier, and discovers its attributes.
    case connect(String)
    case disconnect
    /// Reads characteristics, one after the other.
    case read([CharacteristicSelector])
    case write(CharacteristicSelector, TypedValue, ShellWriting)
    case subscribe([CharacteristicSelector])
    /// Switches notifications off; without characteristics, those of all.
    case unsubscribe([CharacteristicSelector])
    /// Finds the descriptors of a characteristic, and reads them where that is asked for.
    case descriptors(CharacteristicSelector, reads: Bool)
    case readDescriptor(CharacteristicSelector, String)
    case writeDescriptor(CharacteristicSelector, String, TypedValue)
    case signal
    case pair

    /// The text that is shown while it runs.
    var label: String {
        switch self {
        case .scan: "scanning"
        case .wait: "waiting"
        case .connect(let device): "connecting to \(TextLayout.printable(device))"
        case .disconnect: "disconnecting"
        case .read(let selectors): "reading " + Self.names(selectors)
        case .write(let selector, _, _): "writing " + Self.names([selector])
        case .subscribe(let selectors): "subscribing to " + Self.names(selectors)
        case .unsubscribe: "unsubscribing"
        case .descriptors(let selector, _): "looking at the descriptors of " + Self.names([selector])
        case .readDescriptor(let selector, _): "reading a descriptor of " + Self.names([selector])
        case .writeDescriptor(let selector, _, _): "writing a descriptor of " + Self.names([selector])
        case .signal: "measuring the signal"
        case .pair: "pairing"
        }
    }

    private static func names(_ selectors: [CharacteristicSelector]) -> String {
        selectors.map { TextLayout.printable($0.text) }.joined(separator: ", ")
    }
}

/// How a shell writes a value.
struct ShellWriting: Sendable, Hashable {
    /// Whether the device is not asked to answer, though it would.
    var isCommand = false
    /// Whether the value may be longer than one packet.
    var isLong = false
}
