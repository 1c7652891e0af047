// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe
import Testing

@testable import BlueCapCore

/// Services and advertisements at the platform, without a manager.
@Suite("Registrations", .timeLimit(.minutes(60)))
struct RegistrationsTests {
    @Test func `a service is withdrawn with the services that include it, and its handles are free at once`()
        async throws
    {
        try await PeripheralRooms.run { stage, _ in
            try await stage.act { stage in
                let (inner, outer) = (MutableService(uuid: "180F"), MutableService(uuid: "180D"))
                outer.includedServices = [inner]
                let innerID = try stage.registrations.add(inner, handle: nil, stage)
                _ = try stage.registrations.add(outer, handle: nil, stage)
                stage.registrations.settleAll(stage)
                for _ in 1...2 { stage.answer() }
                #expect(stage.operations == ["add 180F", "add 180D"])
                stage.registrations.withdraw(innerID, .removed, stage)
                #expect(!inner.isAdded && !outer.isAdded)
                while stage.scripted.onExecutor({ !$0.pending.isEmpty }) { stage.answer() }
                #expect(stage.operations == ["add 180F", "add 180D", "remove", "remove"])
                #expect(stage.registrations.all.isEmpty)
            }
        }
    }

    @Test func `a caller that waits is answered with the reason of the platform, or when its time has passed`()
        async throws
    {
        try await PeripheralRooms.run { stage, time in
            let answers = Locked<[PeripheralManagerError?]>([])
            await stage.act { stage in
                for name in ["refused", "late"] {
                    let id = Registration.ID.advertisement(stage.registrations.add(Advertisement(localName: name)))
                    stage.registrations.wait(
                        stage.makeNumber(), for: .present, of: id, timeout: .seconds(1),
                        timeoutError: .startAdvertisingTimeout, stage
                    ) { error in answers.withLock { $0.append(error) } }
                }
                stage.answer(.failure(.backend(.refused)))
            }
            #expect(answers.withLock { $0 } == [.backend(.refused)])
            await time.pass(1)
            #expect(answers.withLock { $0 } == [.backend(.refused), .startAdvertisingTimeout])
        }
    }

    @Test func `an advertisement is taken down when its time is over`() async throws {
        try await PeripheralRooms.run { stage, time in
            await stage.act { stage in
                _ = stage.registrations.add(Advertisement(localName: "Ours", timeout: .seconds(2)))
                stage.registrations.settleAll(stage)
                stage.answer()
                #expect(stage.published.facts.withLock { $0.onAir.count } == 1)
            }
            await time.pass(1)
            #expect(await stage.operations == ["advertise Ours"])
            await time.pass(1)
            #expect(await stage.operations == ["advertise Ours", "stop"])
        }
    }
}
