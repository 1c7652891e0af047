// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import BlueCapTesting
import Foundation
import Testing

@testable import BlueCapCoreBluetooth
@testable import CoreBluetooth

/// Channels with streams that give numbers and errors that no documentation allows.
@Suite(.timeLimit(.minutes(60)))
struct BadStreamTests {
    /// A stream that always has bytes, and gives this number for each read; or never has any.
    private final class StrangeInput: InputStream {
        private let number: Int?

        init(_ number: Int?) {
            self.number = number
            super.init(data: Data())
        }

        override var delegate: (any StreamDelegate)? {
            get { nil }
            set {}
        }
        override var hasBytesAvailable: Bool { number != nil }
        override var streamError: (any Error)? { nil }
        override func open() {}
        override func close() {}
        override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int { number ?? 0 }
    }

    /// A stream that always has room, and gives one of these numbers for each write.
    private final class StrangeOutput: OutputStream {
        private let numbers: [Int]
        private let count = Locked(0)

        init(_ numbers: [Int]) {
            self.numbers = numbers
            super.init(toMemory: ())
        }

        required init(toMemory: ()) {
            numbers = []
            super.init(toMemory: ())
        }

        override var delegate: (any StreamDelegate)? {
            get { nil }
            set {}
        }
        override var hasSpaceAvailable: Bool { true }
        override var streamError: (any Error)? { NSError(domain: "strange", code: .max) }
        override func open() {}
        override func close() {}
        override func write(_ buffer: UnsafePointer<UInt8>, maxLength len: Int) -> Int {
            count.withLock { count in
                count += 1
                return numbers[min(count, numbers.count) - 1]
            }
        }
    }

    /// Runs `body` with a channel over strange streams.
    private func opened(
        reading number: Int?, writing numbers: [Int],
        _ body: @escaping @Sendable (StandInWorld, Channel) async throws -> Void
    ) async throws {
        try await StrapScene.run(settings: StandInSettings(faults: [.silentOpen])) { scene in
            let strap = try await scene.connected()
            let task = scene.world.start { try await strap.openChannel(psm: 0x80) }
            try await scene.world.elapse(.seconds(1))
            let identifier = try #require(UUID(uuidString: scene.identifier.text))
            await scene.backend.call { delegate, manager in
                guard let peripheral = manager.retrievePeripherals(withIdentifiers: [identifier]).first else { return }
                delegate.peripheral(
                    peripheral,
                    didOpen: CBL2CAPChannel(
                        peer: peripheral, inputStream: StrangeInput(number), outputStream: StrangeOutput(numbers),
                        psm: 0x80), error: nil)
            }
            try await body(scene.world, try await task.value)
        }
    }

    @Test(arguments: [Int.max, 2_049])
    func `L6: more bytes than were asked for are as many as were asked for`(_ number: Int) async throws {
        try await opened(reading: number, writing: [0]) { world, channel in
            try await world.elapse(.seconds(5))
            // As many as the manager takes.
            #expect(channel.statistics.receivedUnitCount == 16)
            #expect(channel.statistics.receivedByteCount == 16 * 2_048)
        }
    }

    @Test(arguments: [[Int.max], [1, Int.max], [1, 2, 9_999]])
    func `L6: more bytes than were given are all of the unit`(_ numbers: [Int]) async throws {
        try await opened(reading: nil, writing: numbers) { _, channel in
            try await channel.send(Bytes([UInt8](repeating: 1, count: 100)))
            #expect(channel.statistics.sentByteCount == 100)
        }
    }

    @Test(arguments: [-1, Int.min])
    func `L6: a stream that fails is the end of the channel, with an error`(_ number: Int) async throws {
        try await opened(reading: number, writing: [number]) { world, channel in
            try await world.elapse(.seconds(5))
            let error = await #expect(throws: ChannelError.self) {
                var iterator = channel.makeAsyncIterator()
                _ = try await iterator.next()
            }
            guard case .backend(let failure) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(failure.name == "CoreBluetooth.stream")
            #expect(!channel.isOpen)
        }
    }

    @Test func `L2: a central's channel without a device, or to a PSM of none, is closed and counted`() async throws {
        try await LampScene.run { lamp in
            let published = try await lamp.manager.publishChannel()
            let psm = published.psm
            await lamp.backend.call { delegate, manager in
                for psm in [0, psm, .max] {
                    delegate.peripheralManager(
                        manager,
                        didOpen: CBL2CAPChannel(
                            peer: nil, inputStream: StrangeInput(1), outputStream: StrangeOutput([1]), psm: psm),
                        error: nil)
                }
                delegate.peripheralManager(manager, didPublishL2CAPChannel: 0x99, error: nil)
                delegate.peripheralManager(manager, didUnpublishL2CAPChannel: 0x99, error: nil)
            }
            #expect(await lamp.backend.statistics.strayCallbacks == 5)
        }
    }
}
