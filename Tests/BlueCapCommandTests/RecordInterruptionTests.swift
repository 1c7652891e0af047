// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapCapture
import BlueCapRuntime
import Testing

@testable import BlueCapCommand

/// A recording that Ctrl-C ends while it still asks the device.
@Suite(.timeLimit(.minutes(60)))
struct RecordInterruptionTests {
    /// Records a device of which one characteristic of twenty does not answer, and is cancelled after some seconds.
    ///
    /// - Parameter operation: The operation that it does not answer.
    /// - Returns: The twin that was saved, if one was, and the lines of progress.
    private func record(holding operation: VirtualOperation) async throws -> (twin: Twin?, messages: [String]) {
        let (saved, messages) = (Locked<String?>(nil), Locked<[String]>([]))
        try await inTown { radio, central in
            let characteristics = (0..<20).map { number in
                VirtualCharacteristic(
                    BluetoothUUID(UInt16(0xFF00 + number)), properties: [.read, .notify], value: [UInt8(number)])
            }
            characteristics[2].hold(operation)
            radio.add(
                VirtualPeripheral(
                    name: "Many", address: "C0:DE:00:00:00:20",
                    services: [VirtualService("1234", characteristics: characteristics)]))
            let session = RecordSession(
                finder: DeviceFinder(
                    central: central, device: "Many", timeout: .seconds(600),
                    progress: { text in messages.withLock { $0.append(text) } }),
                duration: .seconds(3600), save: { text in saved.withLock { $0 = text } }, clock: radio.clock)
            await withTaskGroup(of: Void.self) { group in
                group.addTask { try? await session.run() }
                // A link whose request stays unanswered for 30 seconds ends.
                group.addTask { try? await radio.clock.sleep(for: .seconds(20)) }
                await group.next()
                group.cancelAll()
            }
        }
        return (try saved.withLock { $0 }.map { try Twin(json: $0.utf8) }, messages.withLock { $0 })
    }

    @Test func `what was read before Ctrl-C is saved, and what was not is named on one line`() async throws {
        let (twin, messages) = try await record(holding: .read)
        let found = twin?.services[0].characteristics ?? []
        #expect(found.count == 20 && found.prefix(3).map(\.value) == [[0], [1], nil], "\(found)")
        let line = messages.filter { $0.hasPrefix("cancelled before it was read: ") }
        #expect(line.count == 1 && line[0].contains("FF02, FF03") && line[0].hasSuffix("FF13"), "\(messages)")
    }

    @Test(arguments: [VirtualOperation.read, .subscribe])
    func `Ctrl-C before all is subscribed to is told on one line`(operation: VirtualOperation) async throws {
        let (twin, messages) = try await record(holding: operation)
        #expect(twin != nil)
        #expect(messages.count { $0.contains("subscribe") } == 1, "\(messages)")
    }
}
