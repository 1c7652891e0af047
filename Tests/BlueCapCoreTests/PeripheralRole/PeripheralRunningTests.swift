// SPDX-License-Identifier: MIT

import BlueCapTestExecutor
import Testing

@testable import BlueCapCore

@Suite("Work on a peripheral manager's executor", .timeLimit(.minutes(60)))
struct PeripheralRunningTests {
    private let executor = TestExecutor()

    private var manager: PeripheralManager {
        PeripheralManager(
            backend: ScriptedPeripheralBackend(executor: executor, features: [], accessTimeLimit: nil))
    }

    private func isHere() async -> Bool { executor.isIsolatingCurrentContext() == true }

    @Test func `a body and its child tasks run on the manager's executor`() async {
        let found = await manager.run {
            async let child = isHere()
            return [await isHere(), await child]
        }
        #expect(found == [true, true])
    }

    @Test func `an error of a body keeps its type`() async {
        let manager = manager
        await manager.invalidate()
        do throws(PeripheralManagerError) {
            try await manager.run { () throws(PeripheralManagerError) in try await manager.whenPoweredOn() }
            Issue.record("the manager was invalidated")
        } catch {
            #expect(error == .invalidated)
        }
    }

    @Test func `a manager that was invalidated runs a body`() async {
        let manager = manager
        await manager.invalidate()
        let isThere = await manager.run { await isHere() }
        #expect(isThere)
    }
}
