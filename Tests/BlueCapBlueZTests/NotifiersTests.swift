// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
@testable import BlueCapBlueZ
import BlueCapCore
import BlueCapSerDe
import Testing

@Suite(.timeLimit(.minutes(60)))
struct NotifiersTests {
    @Test func `a value of a characteristic without subscribers is not sent`() async {
        let failure = await OffBus().failure {
            $0.notifiers.update(AttributeID(rawValue: 2), [1], nil, RequestID(rawValue: 1), $0)
        }
        #expect(failure == .disconnected)
    }
}
#endif
