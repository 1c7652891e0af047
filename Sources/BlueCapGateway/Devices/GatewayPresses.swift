// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapCore

/// The knowledge of a gateway about presses, beside that of its devices' lives.
struct GatewayPresses {
    /// A device that repeats its last frame for long is heard within this time.
    private static let timeOfOldFrames = Duration.seconds(10)
    /// A device repeats the frame of a press within this time.
    private static let timeOfFrames = Duration.seconds(2)
    private static let maximumElsewhere = 32

    /// Since when the radio is on; nil while it is not.
    private var listeningSince: Duration?
    /// When the last connection of a group began.
    private var connectedAt: Duration?
    /// The devices with presses that wait.
    private(set) var waiting: Set<PeerIdentifier> = []
    /// The newest presses that other gateways have published of devices that this one has not heard.
    private var elsewhere: [(device: PeerIdentifier, press: PressLog.Heard, at: Duration)] = []

    mutating func radioIsOn(at time: Duration) { listeningSince = listeningSince ?? time }

    mutating func radioIsOff() { listeningSince = nil }

    /// Takes the beginning of a connection of a group, before which this gateway heard nothing of the others.
    mutating func connectionBegan(at time: Duration) { connectedAt = time }

    /// Whether a frame may be one of before the radio came on, as it is the first one of its device since, or one that
    /// the owner of the device has published before the connection began.
    ///
    /// - Parameters:
    ///   - heardAt: When the device was heard last; nil for never.
    ///   - isOwner: Whether the device is this gateway's.
    func isOld(heardAt: Duration?, isOwner: Bool, at time: Duration) -> Bool {
        if !isOwner, let connectedAt, time - connectedAt < Self.timeOfFrames { return true }
        guard let since = listeningSince, time - since < Self.timeOfOldFrames else { return false }
        return heardAt.map { $0 < since } ?? true
    }

    /// Takes whether presses of a device wait.
    mutating func follow(_ device: PeerIdentifier, isWaiting: Bool) {
        if isWaiting { waiting.insert(device) } else { waiting.remove(device) }
    }

    /// Keeps a press that another gateway has published, for the case that its device is heard soon.
    mutating func keep(_ press: PressLog.Heard, of device: PeerIdentifier, at time: Duration) {
        elsewhere = (elsewhere + [(device, press, time)]).suffix(Self.maximumElsewhere)
    }

    /// Takes the presses of a device that were kept.
    mutating func takeElsewhere(of device: PeerIdentifier, at time: Duration) -> [PressLog.Heard] {
        if elsewhere.isEmpty { return [] }
        defer { elsewhere.removeAll { $0.device == device } }
        return elsewhere.filter { $0.device == device && time - $0.at < Self.timeOfOldFrames }.map(\.press)
    }
}
#endif
