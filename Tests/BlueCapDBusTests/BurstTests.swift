// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
@testable import BlueCapDBus
import BlueCapLoop
import BlueCapPrivateBus
import BlueCapRuntime
import Testing

@Suite(.timeLimit(.minutes(60)))
struct BurstTests {
    /// The number of signals in a burst. The bus writes them in one go and does not wait for their readers.
    private static let count = 1_000_000
    private static let kept = 1024
    private static let batch = 500

    /// A bus that answers a call after so many numbered signals.
    private static func bus() throws -> FakeBus {
        try FakeBus { client in
            client.welcome()
            let template = FakeBus.tick(FakeBus.number(0), signature: "u")
            var bytes = Array(repeatElement(template, count: batch).joined())
            while let call = client.readMessage() {
                for start in stride(from: 0, to: count, by: batch) {
                    for index in 0..<batch {
                        // The number is the last four bytes.
                        let place = (index + 1) * template.count - 4
                        for byte in 0..<4 {
                            bytes[place + byte] = UInt8(truncatingIfNeeded: (start + index) >> (8 * byte))
                        }
                    }
                    client.send(bytes)
                }
                client.answer(call)
            }
        }
    }

    @Test
    func `a burst that nobody takes is dropped to the last element, counted, and takes no memory`() async {
        await #expect(processExitsWith: .success) {
            let bus = try Self.bus()
            let loop = try EventLoop()
            let connection = try await BusConnection.open(BusAddress(bus.address), on: loop)
            let link = connection.link
            let box = Mailbox<Message, DBusError>(capacity: .newest(Self.kept))
            await loop.run { _ = link.onSignal(.path("/")) { box.push($0) } }
            let before = Process.memory("VmRSS")
            _ = try await connection.call(.methodCall(to: "a.b", path: "/", interface: nil, member: "Go"))
            let growth = Process.memory("VmRSS") - before
            #expect(growth < 32 << 20, "\(growth) bytes more")
            #expect(box.count == Self.kept)
            #expect(box.droppedCount == Self.count - Self.kept)
            let oldest = try await box.next()?.body()
            #expect(oldest == [.uint32(UInt32(Self.count - Self.kept))])
            await connection.close()
            await loop.stop()
        }
    }
}
#endif
