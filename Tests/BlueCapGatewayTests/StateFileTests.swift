// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapCore
import BlueCapRuntime
import Foundation
import Testing

@testable import BlueCapGateway

@Suite("The file for the next run of a gateway", .timeLimit(.minutes(60)))
struct StateFileTests {
    private let reports = Locked<[String]>([])

    private func folder() -> String { NSTemporaryDirectory() + "/bluecap-\(UUID().uuidString)" }

    private func file(_ folder: String, _ name: String = "cellar") -> StateFile {
        StateFile(folder: folder, gateway: name) { [reports] reason in reports.withLock { $0.append(reason) } }
    }

    private func message(_ topic: String, _ text: String, date: Int64 = 7) -> WaitingMessage {
        WaitingMessage(message: BrokerMessage(topic: topic, text: text, isRetained: true, expiry: 60), date: date)
    }

    private var state: GatewayState {
        let counter = FrameCounter(device: PeerIdentifier("54:48:E6:8F:80:A5"), key: .max, counter: 9)
        return GatewayState(messages: [message("a", "1"), message("b", "2")], counters: [counter])
    }

    @Test func `has the messages and counters of the last run`() async {
        let folder = folder()
        #expect(await file(folder).finish(state) == 2)
        #expect(file(folder).restored == state)
        #expect(reports.withLock { $0 }.isEmpty)
    }

    @Test(arguments: ["", "{", "BlueCapJ", #"{"format":2,"gateway":"cellar","messages":[],"counters":[]}"#])
    func `is moved out of the way where it is damaged or not the gateway's`(text: String) async throws {
        let folder = folder()
        await _ = file(folder).finish(state)
        try text.write(toFile: folder + "/gateway.cellar.journal", atomically: true, encoding: .utf8)
        let file = file(folder)
        #expect(file.restored == GatewayState())
        #expect(reports.withLock { $0 }.count == 1)
        #expect(FileManager.default.fileExists(atPath: folder + "/gateway.cellar.kept"))
        #expect(await file.finish(state) == 2)
    }

    @Test func `is one gateway's at a time`() async {
        let folder = folder()
        let first = file(folder)
        let second = file(folder)
        #expect(await second.finish(state) == 0)
        #expect(reports.withLock { $0 }.count == 1)
        #expect((first.failedCount, second.failedCount) == (0, 1))
        #expect(await first.finish(state) == 2)
    }

    @Test func `is reported once where it cannot be written, and counted`() async throws {
        let folder = folder()
        try FileManager.default.createDirectory(
            atPath: folder + "/gateway.cellar.new/full", withIntermediateDirectories: true)
        let file = file(folder)
        #expect(await file.finish(state) == 0)
        #expect(file.failedCount == 1)
        #expect(reports.withLock { $0 }.count == 1)
    }

    @Test func `loses the oldest messages where there are too many bytes`() async {
        let folder = folder()
        let text = String(repeating: "x", count: 1000)
        let many = GatewayState(messages: (0..<2000).map { message("t/\($0)", text) })
        let count = await file(folder).finish(many)
        let restored = file(folder).restored.messages
        #expect((100..<2000).contains(count) && restored.count == count)
        #expect(restored.last?.message.topic == "t/1999")
    }

    #if Gateway && os(Linux)
    @Test func `gives the broker the messages whose time is not over by the clock on the wall`() async throws {
        let now = Int64(Date().timeIntervalSince1970)
        let dates = [("old", now - 61), ("young", now - 30), ("future", now + 9999), ("last", .max), ("first", .min)]
        let settings = BrokerSettings(address: try BrokerAddress(text: "127.0.0.1:1"), clientID: "a")
        let broker = try Broker(settings, restoring: dates.map { message($0.0, $0.0, date: $0.1) })
        let waiting = broker.waitingMessages.map(\.message)
        #expect(waiting.map(\.topic) == ["young", "future"])
        #expect(waiting.allSatisfy { (1...60).contains($0.expiry ?? 0) } && waiting[0].expiry ?? 60 <= 30)
        #expect(broker.statistics.expired == 3)
        #expect(broker.waitingSinceLastCall().count == 2)
        await broker.close()
    }
    #endif
}
#endif
