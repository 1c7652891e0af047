// SPDX-License-Identifier: MIT

/// The bonds that are being removed. A machine: keys are removed without a link, and clients take the end of a link for
/// a failure, so that the end is held back until the answer is out.
struct ProxyUnpairings {
    private struct Entry {
        let client: Int
        var isDone: Bool?
        var end: Int32?
    }

    /// What a client gets: the answer, and right behind it the end of its link, if it had one.
    struct Answer: Equatable {
        let client: Int
        let isDone: Bool
        let end: Int32?
    }

    /// Each may take as long as the platform looks for the device.
    private static let maximumCount = 16

    private var entries: [UInt64: Entry] = [:]

    var count: Int { entries.count }

    /// Begins.
    ///
    /// - Returns: False where the bond of the device is being removed already, or too many others are.
    mutating func begin(_ address: UInt64, for client: Int) -> Bool {
        guard entries[address] == nil, entries.count < Self.maximumCount else { return false }
        entries[address] = Entry(client: client)
        return true
    }

    /// The platform has removed the bond, or has not.
    ///
    /// - Parameter linked: The client that has the link to the device, which may be another one by now.
    /// - Returns: The answer, unless it waits for the end of the client's link.
    mutating func finished(_ address: UInt64, isDone: Bool, linked: Int?) -> Answer? {
        entries[address]?.isDone = isDone
        guard let entry = entries[address], isDone, entry.end == nil, entry.client == linked else {
            return answer(address)
        }
        return nil
    }

    /// The link of a client to the device has ended.
    ///
    /// - Returns: Whether the end is held back, and the answer if that has waited for it.
    mutating func linkEnded(_ address: UInt64, of client: Int, _ code: Int32) -> (isHeld: Bool, Answer?) {
        guard let entry = entries[address], entry.client == client else { return (false, nil) }
        entries[address]?.end = code
        return (true, entry.isDone == nil ? nil : answer(address))
    }

    private mutating func answer(_ address: UInt64) -> Answer? {
        guard let entry = entries.removeValue(forKey: address) else { return nil }
        return Answer(client: entry.client, isDone: entry.isDone ?? false, end: entry.end)
    }
}
