// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
@testable import BlueCapDBus
import BlueCapLoop
import BlueCapPrivateBus
import Testing

/// The events that end connections, and events that do not.
extension HostileBusTests {
    @Test func `a bus that closes in good order is told from one that breaks the rules`() async throws {
        let bus = try FakeBus { $0.welcome() }
        let loop = try EventLoop()
        let connection = try await BusConnection.open(BusAddress(bus.address), on: loop)
        let call = try Message.methodCall(to: "a.b", path: "/", interface: nil, member: "Take")
        _ = await failure { () throws(DBusError) in try await connection.call(call) }
        #expect(await connection.endCause == .disconnected)
        await loop.stop()
    }

    @Test func `bytes that are no message in answer to Hello are an error of their own`() async throws {
        let bus = try FakeBus { client in
            client.authenticate()
            guard let hello = client.readMessage() else { return }
            var answer = FakeBus.answer(hello, FakeBus.string(":1.1"), signature: "s")
            answer[3] = 2
            client.send(answer)
            client.waitForEnd()
        }
        let loop = try EventLoop()
        let error = await failure { () throws(DBusError) in
            try await BusConnection.open(BusAddress(bus.address), on: loop)
        }
        #expect(error == .malformed("version 2 of the protocol"))
        await loop.stop()
    }

    @Test func `a message of a type that is not known is passed over, and its descriptors are closed`() async {
        await #expect(processExitsWith: .success) {
            let bus = try FakeBus { client in
                client.welcome()
                while let call = client.readMessage() {
                    guard let pair = try? PacketPair() else { return }
                    let count = FakeBus.field(9, "u", FakeBus.number(1))
                    client.send(FakeBus.message(type: 77, [count]), descriptors: [pair.near.rawValue])
                    client.answer(call)
                }
            }
            let loop = try EventLoop()
            let connection = try await BusConnection.open(BusAddress(bus.address), on: loop)
            let call = try Message.methodCall(to: "a.b", path: "/", interface: nil, member: "Take")
            _ = try await connection.call(call)
            let descriptors = await Process.descriptorsAtFirst()
            for _ in 0..<50 { _ = try await connection.call(call) }
            #expect(await Process.settles { Process.descriptorCount <= descriptors }, "\(descriptors) at first")
            await connection.close()
            await loop.stop()
        }
    }
}

extension BusConnection {
    /// The cause of the connection's end.
    var endCause: DBusError? { link.endCause }

    /// Whether the connection ended because the bus broke the rules.
    var isMalformed: Bool {
        if case .malformed = link.endCause { true } else { false }
    }
}
#endif
