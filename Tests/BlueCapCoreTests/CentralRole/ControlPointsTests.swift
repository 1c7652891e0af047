// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe
import Testing

@testable import BlueCapCore

/// Requests to control points, without a manager.
@Suite("Control points", .timeLimit(.minutes(60)))
struct ControlPointsTests {
    @Test func `a request that cannot be made is answered at once, and one that waits when it is left`() async throws {
        try await CentralRooms.run { stage, _ in
            let answers = Locked<[Result<Bytes, CharacteristicError>]>([])
            let note = { @Sendable (answer: Result<Bytes, CharacteristicError>) in
                answers.withLock { $0.append(answer) }
            }
            try await stage.act { stage in
                let (_, characteristics) = try stage.discovered()
                let points = stage.connections.controlPoints
                let call = ControlPointCall(LampMessage(opCode: 1))
                points.begin(call, 1, of: characteristics[1], onDisconnect: .end, timeout: nil, stage, answer: note)
                #expect(answers.withLock { $0 } == [.failure(.writeNotSupported)])
                points.begin(call, 2, of: characteristics[0], onDisconnect: .end, timeout: nil, stage, answer: note)
                #expect(answers.withLock { $0.count } == 1)
                points.leave(2, of: characteristics[0], .cancelled, stage)
                points.leave(2, of: characteristics[0], .cancelled, stage)
            }
            #expect(answers.withLock { $0 } == [.failure(.writeNotSupported), .failure(.cancelled)])
        }
    }
}
