// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@testable import BlueCapCore

@Suite("Parameters of connections", .timeLimit(.minutes(60)))
struct ConnectionParametersTests {
    typealias Case = (interval: ClosedRange<Duration>, latency: Int, timeout: Duration)

    private static let millisecond = Duration.milliseconds(1)

    private func parameters(_ values: Case) throws(ConnectionParametersError) -> ConnectionParameters {
        try ConnectionParameters(
            interval: values.interval, latency: values.latency, supervisionTimeout: values.timeout)
    }

    @Test(
        arguments: [
            (.microseconds(7500)...(.microseconds(7500)), 0, .milliseconds(100)),
            (.seconds(4)...(.seconds(4)), 0, .seconds(32)), (.seconds(4)...(.seconds(4)), 2, .seconds(32)),
            (.microseconds(7500)...(.milliseconds(30)), 499, .milliseconds(30_010)),
        ] as [Case])
    func `values at the bounds of the specification are taken`(values: Case) throws {
        let parameters = try parameters(values)
        #expect(parameters.interval == values.interval)
        #expect(parameters.latency == values.latency)
        #expect(parameters.supervisionTimeout == values.timeout)
    }

    @Test(
        arguments: [
            ((.microseconds(7499)...(.milliseconds(30)), 0, .seconds(4)), .intervalOutOfRange),
            ((.milliseconds(30)...(.milliseconds(4001)), 0, .seconds(32)), .intervalOutOfRange),
            ((.seconds(-1)...(.milliseconds(30)), 0, .seconds(4)), .intervalOutOfRange),
            ((.milliseconds(9)...(.milliseconds(9)), 0, .seconds(4)), .noWholeInterval),
            ((.milliseconds(30)...(.milliseconds(30)), -1, .seconds(4)), .latencyOutOfRange),
            ((.milliseconds(30)...(.milliseconds(30)), 500, .seconds(32)), .latencyOutOfRange),
            ((.milliseconds(30)...(.milliseconds(30)), 0, .milliseconds(99)), .supervisionTimeoutOutOfRange),
            ((.milliseconds(30)...(.milliseconds(30)), 0, .milliseconds(32_001)), .supervisionTimeoutOutOfRange),
            (
                (.milliseconds(30)...(.milliseconds(50)), 0, .milliseconds(100)),
                .supervisionTimeoutTooShort(bound: .milliseconds(100))
            ),
            (
                (.seconds(4)...(.seconds(4)), 3, .seconds(32)), .supervisionTimeoutTooShort(bound: .seconds(32))
            ),
            (
                (.milliseconds(15)...(.milliseconds(15)), 499, .seconds(15)),
                .supervisionTimeoutTooShort(bound: .seconds(15))
            ),
        ] as [(Case, ConnectionParametersError)])
    func `a value beyond a bound is refused by its name`(values: Case, error: ConnectionParametersError) {
        #expect(throws: error) { try parameters(values) }
        #expect(error.reason == .misuse)
    }

    @Test func `times are narrowed to whole units, and a timeout is rounded up`() throws {
        let parameters = try ConnectionParameters(
            interval: .milliseconds(8)...(.milliseconds(29)), supervisionTimeout: .microseconds(100_001))
        #expect(parameters.interval == .microseconds(8750)...(.microseconds(28_750)))
        #expect(parameters.intervalUnits == 7...23)
        #expect(parameters.supervisionTimeout == .milliseconds(110))
        #expect(parameters.supervisionTimeoutUnits == 11)
    }

    // MARK: Asking

    private static var fast: ConnectionParameters {
        get throws { try ConnectionParameters(interval: .milliseconds(15)...(.milliseconds(15))) }
    }

    @Test(arguments: ConnectionParameters.Effect.allCases)
    func `the platform says when they take effect`(effect: ConnectionParameters.Effect) async throws {
        let fast = try Self.fast
        try await World.run(features: .connectionParameters) { world in
            let peripheral = try await world.connect()
            let call = await world.start { try await peripheral.setConnectionParameters(fast) }
            await world.answer(.setConnectionParameters(.one, fast), .parameters(effect))
            #expect(call.value == effect)
        }
    }

    @Test func `a refusal has the platform's reason, and is none of the link`() async throws {
        let fast = try Self.fast
        let failure = BackendFailure(name: "A", message: "b", advice: "c")
        try await World.run(features: .connectionParameters) { world in
            let peripheral = try await world.connect()
            let call = await world.start { try await peripheral.setConnectionParameters(fast) }
            await world.refuse(.setConnectionParameters(.one, fast), .backend(failure))
            #expect(call.error as? PeripheralError == .connectionParametersRefused(failure))
            #expect((call.error as? PeripheralError)?.reason == .unsupported)
            #expect(peripheral.isConnected)
        }
    }

    @Test func `without the feature and without a connection nothing is asked`() async throws {
        let fast = try Self.fast
        try await World.run { world in
            let peripheral = try await world.connect()
            let call = await world.start { try await peripheral.setConnectionParameters(fast) }
            #expect(call.error as? PeripheralError == .unsupported)
        }
        try await World.run(features: .connectionParameters) { world in
            let peripheral = await world.meet(.one)
            let call = await world.start { try await peripheral.setConnectionParameters(fast) }
            #expect(call.error as? PeripheralError == .disconnected)
        }
    }
}
