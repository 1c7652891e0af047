// SPDX-License-Identifier: MIT

import BlueCapCore
import Dispatch
import Testing
import WireRadio

@Suite("A central that leaves its manager no time", .timeLimit(.minutes(60)))
struct UntrustedCentralTests {
    private static let level = AttributeID(rawValue: 2)

    @Test func `is refused when too many of its accesses wait`() async throws {
        let stage = try await Stage()
        for request in 1...257 as ClosedRange<UInt64> { stage.wire.send(.read(request: request, attribute: 4)) }
        let refusal = try await stage.message { if case .refusal = $0 { true } else { false } }
        #expect(refusal == .refusal(request: 257, error: .insufficientResources))
        await stage.end()
    }

    @Test func `holds up no indication when it has gone`() async throws {
        let stage = try await Stage()
        stage.wire.send(.subscribe(request: 1, attribute: 4, isOn: true))
        _ = try await stage.message { $0 == .done(request: 1) }
        let update = PeripheralOperation.update(Self.level, [7], central: nil)
        await stage.backend.perform(PeripheralRequest(id: RequestID(rawValue: 9), operation: update))
        _ = try await stage.message { $0 == .indication(attribute: 4, value: [7]) }
        stage.wire.close()
        for await event in stage.events {
            if case .reply(RequestID(rawValue: 9), let result) = event {
                #expect(throws: Never.self) { try result.get() }
                break
            }
        }
        await stage.end()
    }

    /// A backend with one characteristic, to which a central is connected, and no manager that answers.
    private struct Stage {
        let backend = WirePeripheralBackend()
        let events: AsyncStream<PeripheralEvent>
        let wire: Wire
        private let pieces: AsyncStream<[UInt8]>

        init() async throws {
            let (events, report) = AsyncStream.makeStream(of: PeripheralEvent.self)
            self.events = events
            await backend.activate(clock: .continuous, sink: PeripheralEventSink { report.yield($0) })
            let service = LocalService(
                id: AttributeID(rawValue: 1), uuid: "180F",
                characteristics: [
                    LocalCharacteristic(
                        id: level, uuid: "2A19", properties: [.read, .indicate], permissions: .readable)
                ])
            let advertise = PeripheralOperation.advertise(AdvertisementID(rawValue: 1), Advertisement())
            await backend.perform(PeripheralRequest(id: RequestID(rawValue: 1), operation: .add(service)))
            await backend.perform(PeripheralRequest(id: RequestID(rawValue: 2), operation: advertise))

            let (near, far) = try Wire.makePair()
            let (pieces, receive) = AsyncStream.makeStream(of: [UInt8].self)
            self.pieces = pieces
            wire = Wire(socket: far, queue: DispatchQueue(label: "WireRadio.test")) { bytes in
                if let bytes { receive.yield(bytes) } else { receive.finish() }
            }
            backend.attach(near, as: "C0:DE:00:00:00:02")
            wire.send(.connect(link: 1))
        }

        /// The next message that is wanted.
        func message(where isWanted: (Message) -> Bool) async throws -> Message? {
            var reader = LineReader()
            for await piece in pieces {
                if let found = try reader.messages(adding: piece).first(where: isWanted) { return found }
            }
            return nil
        }

        func end() async {
            wire.close()
            await backend.invalidate()
        }
    }
}
