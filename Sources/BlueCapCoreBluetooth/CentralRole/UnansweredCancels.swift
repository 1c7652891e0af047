// SPDX-License-Identifier: MIT

#if canImport(CoreBluetooth)
import BlueCapCore
import CoreBluetooth

/// The cancels of links and attempts that CoreBluetooth has not answered in time, and may still answer (C2).
struct UnansweredCancels {
    /// What becomes of a link when CoreBluetooth says that its peripheral is disconnected.
    enum Verdict {
        case ends
        /// This was the answer to an earlier cancel.
        case goesOn
        /// The same, and CoreBluetooth may not have begun the attempt while it still disconnected.
        case beginsAgain
    }

    /// The number of cancels of each peripheral, and its object.
    private var cancels = RecentTable<PeerIdentifier, (peripheral: ObjectIdentifier, count: Int)>(limit: 256)

    /// A cancel was given up.
    mutating func add(_ peripheral: ObjectIdentifier, of id: PeerIdentifier) {
        let known = cancels.remove(id)
        let count = known?.peripheral == peripheral ? known?.count ?? 0 : 0
        cancels.set((peripheral, count + 1), for: id)
    }

    /// A peripheral without a link is disconnected: this was the answer to an earlier cancel, if there is one.
    mutating func answered(_ peripheral: ObjectIdentifier, of id: PeerIdentifier) {
        guard let known = cancels.use(id), known.peripheral == peripheral else { return }
        if known.count > 1 { cancels.set((peripheral, known.count - 1), for: id) } else { cancels.remove(id) }
    }

    /// A peripheral with a link is disconnected. Nothing in the callback tells which of the answers that are due it is,
    /// only the state of the peripheral. Where the link ends, the other ones are still due.
    mutating func answered(
        _ peripheral: ObjectIdentifier, of id: PeerIdentifier, in phase: CentralLink.Phase, state: CBPeripheralState
    ) -> Verdict {
        guard cancels.use(id)?.peripheral == peripheral else { return .ends }
        let verdict: Verdict =
            switch (phase, state) {
            case (.connecting, .disconnected), (.connecting, .disconnecting): .beginsAgain
            case (.connecting, _), (.connected, .connected): .goesOn
            // Its own answer is waited for, no longer than for any other.
            case (.aborting, .disconnected), (.disconnecting, .disconnected), (.connected, _): .ends
            case (.aborting, _), (.disconnecting, _): .goesOn
            }
        if verdict != .ends { answered(peripheral, of: id) }
        return verdict
    }

    /// No answer comes any more.
    mutating func removeAll() { cancels.removeAll() }
}
#endif
