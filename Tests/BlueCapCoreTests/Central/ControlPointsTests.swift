// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe
import Testing

@testable import BlueCapCore

/// A room of its own, beside that of the manager.
@Suite("Control points", .timeLimit(.minutes(60)))
struct ControlPointsTests {
    @Test func `a request that cannot be made is answered at once, and one that waits when it is left`() async throws {
        try await World.run { world in
            let (peripheral, level) = try await world.level()
            let status = try peripheral.characteristic("2A1A")
            let answers = Locked<[Result<Bytes, CharacteristicError>]>([])
            let note = { @Sendable (answer: Result<Bytes, CharacteristicError>) in
                answers.withLock { $0.append(answer) }
            }
            await world.central.act { central in
                let points = ControlPoints()
                let call = ControlPointCall(LampMessage(opCode: 1))
                points.begin(call, 1, of: status, onDisconnect: .end, timeout: nil, central, answer: note)
                #expect(answers.withLock { $0 } == [.failure(.writeNotSupported)])
                points.begin(call, 2, of: level, onDisconnect: .end, timeout: nil, central, answer: note)
                #expect(answers.withLock { $0.count } == 1)
                points.leave(2, of: level, .cancelled, central)
                points.leave(2, of: level, .cancelled, central)
            }
            #expect(answers.withLock { $0 } == [.failure(.writeNotSupported), .failure(.cancelled)])
        }
    }
}
