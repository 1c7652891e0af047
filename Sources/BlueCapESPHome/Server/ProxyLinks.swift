// SPDX-License-Identifier: MIT

/// The links of all clients of a proxy, and the slots that they share. A machine: each link belongs to the client that
/// made it.
struct ProxyLinks {
    private enum Stage {
        case connecting
        case up(maximumTransmissionUnit: UInt32)
        case ending
    }

    private struct Link {
        let client: Int
        /// Distinguishes it from an earlier link to the same device.
        let number: Int
        var stage = Stage.connecting
        var hasBeenUp = false
    }

    enum Admission: Equatable {
        /// The link is to be made, under this number.
        case begin(Int)
        /// It is there.
        case isUp(maximumTransmissionUnit: UInt32)
        /// It is being made already.
        case waits
        /// Another client has the device, it is just being let go, or there is no slot.
        case refused
    }

    let limit: Int
    private var links: [UInt64: Link] = [:]
    private var lastNumber = 0

    init(limit: Int) { self.limit = limit }

    /// The slots, for a message.
    var slots: SlotsResponse {
        var slots = SlotsResponse()
        slots.limit = UInt32(clamping: limit)
        slots.free = UInt32(clamping: limit - links.count)
        slots.allocated = links.keys.sorted()
        return slots
    }

    /// The addresses of a client's links.
    func addresses(of client: Int) -> [UInt64] { links.filter { $0.value.client == client }.keys.sorted() }

    /// The client of a link, if the link is still the one with this number.
    func client(of address: UInt64, _ number: Int) -> Int? {
        links[address].flatMap { $0.number == number ? $0.client : nil }
    }

    /// The client of the link to a device.
    func client(of address: UInt64) -> Int? { links[address]?.client }

    /// Whether a link has come up.
    func hasBeenUp(_ address: UInt64, _ number: Int) -> Bool {
        links[address].map { $0.number == number && $0.hasBeenUp } ?? false
    }

    /// Whether a client may use a link now.
    func isUp(_ address: UInt64, for client: Int) -> Bool {
        guard let link = links[address], link.client == client, case .up = link.stage else { return false }
        return true
    }

    mutating func connect(_ address: UInt64, for client: Int) -> Admission {
        if let link = links[address] {
            guard link.client == client else { return .refused }
            switch link.stage {
            case .connecting: return .waits
            case .up(let unit): return .isUp(maximumTransmissionUnit: unit)
            case .ending: return .refused
            }
        }
        guard links.count < limit else { return .refused }
        lastNumber += 1
        links[address] = Link(client: client, number: lastNumber)
        return .begin(lastNumber)
    }

    /// The link is made.
    ///
    /// - Returns: The client that waits for it; nil where the link is being let go.
    mutating func connected(_ address: UInt64, _ number: Int, maximumTransmissionUnit: UInt32) -> Int? {
        guard let link = links[address], link.number == number, case .connecting = link.stage else { return nil }
        links[address]?.stage = .up(maximumTransmissionUnit: maximumTransmissionUnit)
        links[address]?.hasBeenUp = true
        return link.client
    }

    /// A client lets a link go.
    ///
    /// - Returns: Whether it has one, whose end follows.
    mutating func disconnect(_ address: UInt64, for client: Int) -> Bool {
        guard let link = links[address], link.client == client else { return false }
        links[address]?.stage = .ending
        return true
    }

    /// The link is gone.
    ///
    /// - Returns: The client that had it; nil for a link that is not known.
    mutating func ended(_ address: UInt64, _ number: Int) -> Int? {
        guard let client = client(of: address, number) else { return nil }
        links[address] = nil
        return client
    }
}
