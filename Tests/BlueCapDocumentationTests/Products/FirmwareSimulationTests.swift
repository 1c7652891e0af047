// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapTesting
import Synchronization
import Testing

/// An image of 256 KiB.
private func makeImage(_ version: UInt32) -> [UInt8] {
    var image = [UInt8](repeating: 0, count: 256 * 1024)
    for place in stride(from: 0, to: image.count, by: 16) { image[place] = UInt8(truncatingIfNeeded: place / 16) }
    image[0] = UInt8(truncatingIfNeeded: version)
    return image
}

/// The uploader with a device that takes one image after the other, while everything goes wrong that can.
private struct Updates: SimulatedApp {
    struct NotUpdated: Error {}
    struct Damaged: Error { let version: UInt32 }
    struct BegunAgain: Error { let count: Int }

    /// The upload that is under way, and its progress.
    private struct Progress {
        var version: UInt32 = 0
        var isUnderWay = false
        var count = 0
        /// When the device had more of the image than before.
        var last = Duration.zero
    }

    private final class Facts: Sendable {
        let progress = Mutex(Progress())
    }

    private let central: CentralManager
    private let device = FirmwareDevice()
    private let facts = Facts()

    init(in world: SimulatedWorld) async throws {
        central = world.makeCentral()
        world.radio.add(device.peripheral)
    }

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await update() }
            group.addTask {
                while true {
                    note()
                    try await central.clock.sleep(for: .seconds(2))
                }
            }
            for try await _ in group {}
        }
    }

    private func update() async throws {
        let uploader = FirmwareUploader(central: central)
        for version in 1... as PartialRangeFrom<UInt32> {
            let image = makeImage(version)
            let start = central.clock.elapsed
            facts.progress.withLock { $0 = Progress(version: version, isUnderWay: true, last: start) }
            try await uploader.upload(image, version: version)
            facts.progress.withLock { $0.isUnderWay = false }
            guard let installed = device.memory.installed, installed == (version, image) else {
                throw Damaged(version: version)
            }
            try await central.clock.sleep(for: .seconds(100))
        }
    }

    private func note() {
        let (count, now) = (device.memory.image.count, central.clock.elapsed)
        facts.progress.withLock { progress in
            if count != progress.count { progress.last = now }
            progress.count = count
        }
    }

    func check() async throws {
        let progress = facts.progress.withLock { $0 }
        // A device that takes small packets takes its time.
        if progress.isUnderWay, central.clock.elapsed - progress.last > .seconds(60) { throw NotUpdated() }
        // However often the link was lost, an image is begun once.
        let count = device.memory.beginningCount
        if count > Int(progress.version) { throw BegunAgain(count: count) }
    }
}

@Suite("An uploader of firmware", .timeLimit(.minutes(60)))
struct FirmwareSimulationTests {
    @Test func `an image is whole after every fault, and is begun once`() async {
        await SimulationSeeds.play(Updates.self, in: Self.self)
    }

    @Test func `a device that is carried away is sent the rest of its image, and little else`() async throws {
        try await VirtualRadio.run { radio in
            let device = FirmwareDevice()
            radio.add(device.peripheral)
            let central = CentralManager(backend: radio.central())
            let image = makeImage(1)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await FirmwareUploader(central: central).upload(image, version: 1) }
                for share in 1...3 {
                    while device.memory.image.count < image.count * share / 4 {
                        try await radio.clock.sleep(for: .milliseconds(100))
                    }
                    device.peripheral.vanish()
                    try await radio.clock.sleep(for: .seconds(60))
                    device.peripheral.reappear()
                }
                try await group.next()
            }
            let memory = device.memory
            #expect(memory.installed?.image == image)
            #expect(memory.beginningCount == 1)
            #expect(memory.receivedCount < image.count + image.count / 10)
        }
    }

    @Test func `an image of 256 KiB takes as long as the packets of its link`() async throws {
        let time = try await VirtualRadio.run { radio in
            let device = FirmwareDevice()
            radio.add(device.peripheral)
            let central = CentralManager(backend: radio.central())
            try await FirmwareUploader(central: central).upload(makeImage(1), version: 1)
            return radio.clock.elapsed
        }
        // 1,093 packets, of which four go with each event of 45 ms.
        #expect((.seconds(12) ... .seconds(14)).contains(time))
    }
}
