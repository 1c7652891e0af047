// SPDX-License-Identifier: MIT

public import BlueCapCore

/// The work of the managers of a simulated world that is not done yet.
public struct PendingWork: Sendable, Hashable {
    /// The peripherals without a link to which central managers try to connect, now or by their policies later; one
    /// that two managers try is here twice.
    public var attempts: [PeerIdentifier]
    /// The number of pending items of each kind, over all managers. The names of the kinds are those in the failure of
    /// a run that is not released, such as "links", "listeners", "requests" and "deadlines". A kind without items is
    /// left out.
    public var counts: [String: Int]

    /// Creates a description of pending work.
    ///
    /// - Parameters:
    ///   - attempts: The peripherals without a link to which managers try to connect.
    ///   - counts: How much of each kind there is.
    public init(attempts: [PeerIdentifier] = [], counts: [String: Int] = [:]) {
        (self.attempts, self.counts) = (attempts, counts)
    }

    init(of centrals: [CentralManager], and servers: [PeripheralManager]) async {
        self.init()
        for central in centrals {
            attempts += await central.attempts
            await add(central.remains)
        }
        for server in servers { await add(server.remains) }
    }

    private mutating func add(_ remains: [String: Int]) { counts.merge(remains, uniquingKeysWith: +) }
}
