// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapCore

/// The knowledge of one gateway about a device: its claim, its owner, and how well this gateway hears it.
struct OwnershipRecord {
    /// The gateway that the last claim of the device names.
    enum Owner: Hashable {
        /// There is no claim.
        case none
        case thisGateway
        case other(OtherGateways.Place)
    }

    let device: PeerIdentifier
    private(set) var claim: DeviceClaim?
    private(set) var owner = Owner.none
    /// How many own signs of life had come back when the claim came.
    private(set) var claimBeat: UInt64 = 0
    /// Nil while this gateway does not hear the device.
    private(set) var average: SignalAverage?
    private var heardAt = Duration.zero
    /// The smoothed time between two packets; nil before the second.
    private var interval: Duration?
    /// When this gateway has claimed the device last.
    private(set) var claimedAt: Duration?
    /// When this gateway has claimed it as a device that it hears, until the claim comes back.
    private(set) var askedAt: Duration?
    /// Whether this gateway owned it last, and no claim of another one was seen since.
    private(set) var wasOwn = false
    /// Whether the claim of this gateway is being removed.
    private(set) var isReleased = false
    /// Whether the broker keeps a message of it that an owner has to change, or may have to.
    var needsOwner = false
    /// Since when this gateway may take the device, and hears it.
    var openSince: Duration?
    /// Since when the owner is dead or missing, and this gateway does not hear the device.
    var orphanedSince: Duration?
    /// Since when it has no owner that hears it, and this gateway does but has no connection left for it.
    var crowdedSince: Duration?

    init(_ device: PeerIdentifier) { self.device = device }

    /// Whether there is nothing to be known of it.
    var isIdle: Bool { owner == .none && average == nil && !needsOwner }

    /// Whether the device is there: a time without packets is no absence before it is six times the usual one.
    func isHeard(at time: Duration) -> Bool {
        guard average != nil else { return false }
        let patience = interval.map { min(max($0 * 6, .milliseconds(1500)), .seconds(600)) } ?? .seconds(10)
        return time - heardAt <= patience
    }

    /// Takes the strength of a packet, in dBm.
    mutating func hear(_ rssi: Int, at time: Duration) {
        let gap = time - heardAt
        if average == nil {
            average = SignalAverage(rssi)
        } else if isHeard(at: time) {
            average?.add(rssi)
            interval = interval.map { $0 * 0.75 + gap * 0.25 } ?? gap
        } else {
            average = SignalAverage(rssi)
            interval = gap
        }
        heardAt = time
        isReleased = false
    }

    /// Takes the end of the radio.
    mutating func deafen() {
        average = nil
        interval = nil
    }

    /// Takes a silence that is too long, after which the usual time between two packets stays the same.
    mutating func silence() { average = nil }

    /// Takes a claim of the broker, or the removal of the last one.
    mutating func take(_ claim: DeviceClaim?, of owner: Owner, atBeat beat: UInt64) {
        switch owner {
        case .none: if self.owner == .thisGateway { wasOwn = !isReleased }
        case .thisGateway: askedAt = nil
        case .other: wasOwn = false
        }
        self.claim = claim
        self.owner = owner
        claimBeat = beat
        isReleased = false
        openSince = nil
        orphanedSince = nil
        if claim?.rssi != nil { crowdedSince = nil }
    }

    /// Takes the end of the connection: the broker sends all claims again over the next one.
    mutating func disconnect() {
        if owner == .thisGateway, !isReleased { wasOwn = true }
        claim = nil
        owner = .none
        isReleased = false
        needsOwner = false
        askedAt = nil
        openSince = nil
        orphanedSince = nil
        crowdedSince = nil
    }

    /// Takes the end of the claim, which the broker has forgotten.
    mutating func expire() {
        claim = nil
        owner = .none
        wasOwn = false
        isReleased = false
    }

    /// Takes the end of the messages of this gateway about the device.
    mutating func forget() {
        deafen()
        wasOwn = false
        if !isIdle { isReleased = owner == .thisGateway }
    }

    /// Takes a claim that this gateway sends, with the strength at which it hears the device; nil where it does not.
    mutating func send(_ rssi: Double?, at time: Duration) {
        claimedAt = time
        askedAt = rssi.map { _ in time }
    }
}
#endif
