// SPDX-License-Identifier: MIT

import BlueCapCore
import CoreBluetooth
import Foundation
import Testing

@testable import BlueCapCoreBluetooth

@Suite(.timeLimit(.minutes(60)))
struct UnansweredCancelTests {
    private typealias Row = (
        phase: CentralLink.Phase, state: CBPeripheralState, verdict: UnansweredCancels.Verdict
    )

    /// What becomes of a link, while answers to earlier cancels are due.
    private static let table: [Row] = [
        (.connecting, .disconnected, .beginsAgain), (.connecting, .connecting, .goesOn),
        (.connecting, .connected, .goesOn), (.connecting, .disconnecting, .beginsAgain),
        (.aborting, .disconnected, .ends), (.aborting, .connecting, .goesOn),
        (.aborting, .connected, .goesOn), (.aborting, .disconnecting, .goesOn),
        (.connected, .disconnected, .ends), (.connected, .connecting, .ends),
        (.connected, .connected, .goesOn), (.connected, .disconnecting, .ends),
        (.disconnecting, .disconnected, .ends), (.disconnecting, .connecting, .goesOn),
        (.disconnecting, .connected, .goesOn), (.disconnecting, .disconnecting, .goesOn),
    ]

    @Test func `C2: a link ends by its own answer, and each other answer that is due leaves it`() {
        let object = NSObject()
        let (peripheral, id) = (ObjectIdentifier(object), PeerIdentifier("one"))
        for row in Self.table {
            for due in 0...3 {
                var cancels = UnansweredCancels()
                for _ in 0..<due { cancels.add(peripheral, of: id) }
                let verdict = cancels.answered(peripheral, of: id, in: row.phase, state: row.state)
                #expect(verdict == (due == 0 ? .ends : row.verdict), "\(row), \(due) due")
                // As many answers as are left do not end the next attempt, and no more.
                let left = verdict == .ends ? due : due - 1
                for _ in 0..<left {
                    #expect(cancels.answered(peripheral, of: id, in: .connecting, state: .connecting) == .goesOn)
                }
                #expect(cancels.answered(peripheral, of: id, in: .connecting, state: .connecting) == .ends)
            }
        }
    }

    @Test func `C2: answers are due of the object that was cancelled alone`() {
        let (first, second) = (NSObject(), NSObject())
        var cancels = UnansweredCancels()
        cancels.add(ObjectIdentifier(first), of: "one")
        #expect(cancels.answered(ObjectIdentifier(second), of: "one", in: .connecting, state: .connecting) == .ends)
        #expect(cancels.answered(ObjectIdentifier(first), of: "two", in: .connecting, state: .connecting) == .ends)
        cancels.answered(ObjectIdentifier(first), of: "one")
        #expect(cancels.answered(ObjectIdentifier(first), of: "one", in: .connecting, state: .connecting) == .ends)
    }
}
