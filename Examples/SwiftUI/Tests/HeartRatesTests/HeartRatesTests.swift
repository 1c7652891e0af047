// SPDX-License-Identifier: MIT

import BlueCap
import HeartRates
import Observation
import Testing

@MainActor @Suite(.timeLimit(.minutes(60)))
struct HeartRatesTests {
    private let straps: VirtualStraps
    /// It lives as long as a test: a peripheral does not keep its manager.
    private let central: CentralManager

    init() {
        straps = VirtualStraps()
        central = straps.makeCentral()
    }

    @Test func `the list has each strap in reach once, and loses one that is away`() async throws {
        let clock = ManualClock()
        let straps = VirtualStraps(on: VirtualRadio(clock: clock))
        let list = StrapList(central: straps.makeCentral())
        try await Self.beside({ await list.scan() }) {
            await Self.until { list.isScanning }
            try await straps.radio.advance(by: .seconds(5))
            await Self.until { list.straps.count == 2 }
            #expect(Set(list.straps.map(\.peripheral.displayName)) == ["Ann", "Ben"])
            straps.ben.vanish()
            try await straps.radio.advance(by: .seconds(60))
            await Self.until { list.straps.map(\.peripheral.displayName) == ["Ann"] }
        }
    }

    @Test func `a radio that goes off empties the list and says why, and one that comes back fills it`() async throws {
        let list = StrapList(central: central)
        try await Self.beside({ await list.scan() }) {
            await Self.until { list.straps.count == 2 }
            straps.radio.adapter().powerOff()
            await Self.until { list.straps.isEmpty && list.problem == "Bluetooth is poweredOff." }
            straps.radio.adapter().powerOn()
            await Self.until { list.straps.count == 2 && list.problem == nil }
        }
    }

    @Test func `the page shows heart rates, and again after a loss`() async throws {
        let page = try await makePage()
        try await Self.beside(straps.beat) {
            try await Self.beside({ await page.follow() }) {
                await Self.until { (60..<80).contains(page.heartRate ?? 0) }
                #expect(page.isConnected)
                straps.ann.vanish()
                await Self.until { !page.isConnected && page.heartRate == nil }
                straps.ann.reappear()
                await Self.until { page.heartRate != nil }
            }
        }
    }

    @Test func `a page that is left disconnects`() async throws {
        let page = try await makePage()
        try await Self.beside({ await page.follow() }) { await Self.until { page.isConnected } }
        #expect(!page.isConnected)
        #expect(page.problem == nil)
        try await straps.ann.wait { $0.connectionCount == 0 }
    }

    @Test func `a device without the service says so on its page`() async throws {
        straps.radio.add(VirtualPeripheral(name: "Lamp", services: []))
        try await central.whenPoweredOn()
        let options = ScanOptions(namePrefix: "Lamp")
        let page = StrapPage(try await central.firstDiscovery(options: options).peripheral)
        await page.follow()
        #expect(page.problem?.contains("180D") == true)
        #expect(!page.isConnected)
    }

    @Test func `a launch after the end of the app takes up the straps that were followed, and each ends alone`()
        async throws
    {
        let configuration = CentralManager.Configuration(restoreIdentifier: "straps")
        let backend = straps.radio.central()
        let first = CentralManager(backend: backend, configuration: configuration)
        #expect(try await first.restoredState() == nil)
        try await first.whenPoweredOn()
        var pages: [StrapPage] = []
        for name in ["Ann", "Ben"] {
            pages.append(
                StrapPage(try await first.firstDiscovery(options: ScanOptions(namePrefix: name)).peripheral))
        }
        let (ann, ben) = (pages[0], pages[1])
        try await Self.beside({ await ann.follow() }) {
            try await Self.beside({ await ben.follow() }) {
                await Self.until { ann.isConnected && ben.isConnected }
                for strap in [straps.ann, straps.ben] {
                    try await strap.wait { $0.characteristic("2A37")?.subscriptionCount == 1 }
                }
                backend.kill()
            }
        }
        straps.ben.changeServices(to: [])
        let second = CentralManager(backend: straps.radio.central(), configuration: configuration)
        let (events, sink) = AsyncStream.makeStream(of: String.self)
        try await Self.beside(straps.beat) {
            try await Self.beside({
                defer { sink.finish() }
                try await StrapRelaunch.resume(on: second) { strap, _ in
                    sink.yield(strap.displayName)
                } end: { strap, _ in
                    sink.yield("\(strap.displayName) has ended")
                }
            }) {
                var names = events.makeAsyncIterator()
                while let name = await names.next(), name != "Ben has ended" {}
                #expect(await names.next() == "Ann")
            }
        }
    }

    private func makePage() async throws -> StrapPage {
        try await central.whenPoweredOn()
        for try await sighting in central.scan(for: [HeartRateService.uuid]) {
            if sighting.peripheral.displayName == "Ann" { return StrapPage(sighting.peripheral) }
        }
        throw CancellationError()
    }

    /// Runs the task of a view until `body` is done, and cancels it then, as SwiftUI does.
    private static func beside(
        _ view: @escaping @MainActor @Sendable () async throws -> Void, body: @MainActor () async throws -> Void
    ) async throws {
        let task = Task { try await view() }
        defer { task.cancel() }
        try await body()
        task.cancel()
        _ = await task.result
    }

    /// Waits for changes of what `condition` reads, until it holds.
    private static func until(_ condition: @MainActor () -> Bool) async {
        while true {
            let (changes, change) = AsyncStream.makeStream(of: Void.self)
            if withObservationTracking(condition, onChange: { change.finish() }) { return }
            for await _ in changes {}
        }
    }
}
