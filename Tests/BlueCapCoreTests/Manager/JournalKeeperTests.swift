// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe
import BlueCapTestExecutor
import Testing

@testable import BlueCapCore

/// The journal of a manager, in memory and without a radio.
@Suite("Journal keeper", .timeLimit(.minutes(60)))
struct JournalKeeperTests {
    static let some = CentralRestoration(peripherals: [CentralRestoration.Peripheral(id: .one)], scans: [])

    @Test func `several changes are compared and written together`() async throws {
        let store = MemoryRestorationStore()
        let stage = JournalStage(store)
        await withTaskExecutorPreference(stage.executor) {
            await stage.change(to: CentralRestoration(peripherals: [], scans: []), Self.some)
            await stage.idle()
            #expect(await stage.comparisonCount == 1)
            #expect(store["app.central"] != nil)
            await stage.change(to: Self.some)
            await stage.idle()
            #expect(await stage.comparisonCount == 2)
        }
    }

    @Test func `the contents of the journal are taken up once`() async throws {
        let store = MemoryRestorationStore()
        let first = JournalStage(store)
        await withTaskExecutorPreference(first.executor) {
            await first.change(to: Self.some)
            await first.idle()
        }
        store.closeAll()
        let second = JournalStage(store)
        await second.takeUp()
        await second.takeUp()
        #expect(await second.restoredContents == [Self.some])
    }

    @Test func `restored objects are given once`() async throws {
        let stage = JournalStage(MemoryRestorationStore())
        await stage.hold("restored")
        #expect(try await stage.takeRestored() == "restored")
        #expect(try await stage.takeRestored() == nil)
    }

    @Test func `the reason of a journal that cannot be used is thrown once`() async throws {
        let store = MemoryRestorationStore()
        store["app.central"] = [1, 2, 3]
        let stage = JournalStage(store)
        await #expect(throws: RestorationFailure.self) { try await stage.takeRestored() }
        #expect(try await stage.takeRestored() == nil)
        #expect(await stage.isKept)
    }

    @Test func `nothing is compared without a journal`() async throws {
        let stage = JournalStage(nil)
        await withTaskExecutorPreference(stage.executor) {
            await stage.change(to: Self.some)
            await stage.idle()
            #expect(await stage.comparisonCount == 0)
        }
    }
}

/// An owner of a journal that restores nothing but writes down the contents.
private actor JournalStage: JournalOwner {
    typealias Restored = String

    nonisolated let loop = TestExecutor()
    nonisolated var executor: any BackendExecutor { loop }
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    let journal: JournalKeeper<JournalStage>
    private var wanted = CentralRestoration(peripherals: [], scans: [])
    private(set) var comparisonCount = 0
    private(set) var restoredContents: [CentralRestoration] = []

    init(_ store: MemoryRestorationStore?) {
        let logger = RadioLog(CentralManager.Configuration().logger, .redacted)
        journal = JournalKeeper(
            Journal.open(
                CentralRestoration.self, .central, store == nil ? nil : "app", in: store ?? MemoryRestorationStore(),
                logger: logger))
    }

    var contents: CentralRestoration {
        comparisonCount += 1
        return wanted
    }

    var isKept: Bool { journal.isKept }

    func restore(_ contents: CentralRestoration) { restoredContents.append(contents) }

    /// Changes the wanted state in one turn of the executor, once for each of its contents.
    func change(to contents: CentralRestoration...) {
        for contents in contents {
            wanted = contents
            restorationChanged()
        }
    }

    func takeUp() { journal.takeUp(self) }

    func hold(_ restored: String) { journal.hold(restored) }

    func takeRestored() throws -> String? { try journal.takeRestored() }

    nonisolated func idle() async { await loop.idle() }
}
