// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
@testable import BlueCapDBus
import BlueCapLoop
import BlueCapPrivateBus
import Testing

/// A private bus with a service and a client on it, each a connection of its own on one loop.
struct TestPair {
    static let serviceName = "org.bluecap.Test"
    static let interface = "org.bluecap.Test1"
    static let path = "/org/bluecap/test"

    let bus: PrivateBus
    let loop: EventLoop
    let service: BusConnection
    let client: BusConnection

    init(configuration: String = "", interfaces: @escaping @Sendable () -> [ExportedInterface] = { [] }) async throws {
        bus = try PrivateBus(configuration: configuration)
        loop = try EventLoop()
        let address = try BusAddress(bus.address)
        service = try await BusConnection.open(address, on: loop)
        client = try await BusConnection.open(address, on: loop)
        let link = service.link
        try await loop.run { () throws(DBusError) in
            let all = interfaces()
            if !all.isEmpty { try link.export(all, at: Self.path) }
        }
        #expect(try await service.requestName(Self.serviceName))
    }

    /// Ends the connections and the loop.
    func close() async {
        await client.close()
        await service.close()
        await loop.stop()
    }

    /// A call to the service's test object.
    static func call(
        _ member: String, _ body: DBusValue..., interface: String = interface, path: String = path
    ) throws -> Message {
        try .methodCall(to: serviceName, path: path, interface: interface, member: member, body: body)
    }
}

// SAFETY: all of it is touched on the loop's thread alone, by handlers of calls and inside `run`.
/// Calls that a service leaves unanswered until the test says so.
final class HeldCalls: @unchecked Sendable {
    var calls: [MethodCall] = []
    private var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    func hold(_ call: MethodCall) {
        calls.append(call)
        let ready = waiters.filter { $0.count <= calls.count }
        waiters.removeAll { $0.count <= calls.count }
        for waiter in ready { waiter.continuation.resume() }
    }

    /// Returns once `count` calls have come in.
    func wait(for count: Int, on loop: EventLoop) async {
        await withCheckedContinuation { continuation in
            loop.submit { [self] in
                if calls.count >= count {
                    continuation.resume()
                } else {
                    waiters.append((count, continuation))
                }
            }
        }
    }

    /// Answers the held calls, and returns the first argument of each.
    @discardableResult
    func answerAll(on loop: EventLoop) async -> [DBusValue] {
        await loop.run { [self] in
            defer { calls = [] }
            for call in calls { call.reply() }
            return calls.compactMap(\.arguments.first)
        }
    }
}

/// The error that `body` throws; nil if it throws none.
func failure<Value>(_ body: () async throws(DBusError) -> Value) async -> DBusError? {
    do throws(DBusError) {
        _ = try await body()
        return nil
    } catch {
        return error
    }
}
#endif
