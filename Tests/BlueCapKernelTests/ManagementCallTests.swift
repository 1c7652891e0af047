// SPDX-License-Identifier: MIT

#if os(Linux)
import BlueCapFakeKernel
@testable import BlueCapKernel
import BlueCapLoop
import BlueCapTestExecutor
import Testing

@Suite(.timeLimit(.minutes(60)))
struct ManagementCallTests {
    private static let address = KernelAddress("C0:11:22:33:44:55", isRandom: true)
    private static let octets: [UInt8] = [0x55, 0x44, 0x33, 0x22, 0x11, 0xC0, 2]
    private static let parameters = KernelParameters(interval: 6...24, latency: 1, timeout: 0x0102)

    /// Begins a call, plays the kernel, and returns the answer once the call's socket is closed.
    private func answer<Answer: Sendable>(
        _ call: @escaping @Sendable (KernelAddress, ManagementPlace, @escaping (Answer) -> Void) -> Void,
        _ play: (FakeKernel) async -> Void
    ) async throws -> Answer {
        let address = try #require(Self.address)
        let (loop, kernel, answers) = (try EventLoop(), try FakeKernel(), Recorder<Answer>())
        await loop.run {
            let place = ManagementPlace(
                loop: loop, controller: 0, pause: .zero, patience: .seconds(3_600),
                open: { () throws(ManagementError) in try kernel.open() })
            call(address, place) { answers.add($0) }
        }
        await play(kernel)
        await answers.wait(for: 1)
        await kernel.whenClosed(1)
        await kernel.end()
        await loop.stop()
        #expect(answers.count == 1)
        return answers.all[0]
    }

    private func strength(_ play: (FakeKernel) async -> Void) async throws -> Result<Int?, ManagementError> {
        try await answer({ ManagementCall.readStrength(of: $0, at: $1, then: $2) }, play)
    }

    private func load(_ play: (FakeKernel) async -> Void) async throws -> Result<Bool, ManagementError> {
        try await answer({ ManagementCall.load(Self.parameters, for: $0, at: $1, then: $2) }, play)
    }

    @Test(arguments: [(0xC4, -60 as Int?), (127, nil)] as [(UInt8, Int?)])
    func `the strength of a connection is read`(octet: UInt8, expected: Int?) async throws {
        let result = try await strength { kernel in
            let command = await kernel.command(1)
            #expect(command.code == 0x0031)
            #expect(command.parameters == Self.octets)
            await kernel.answer(1, Self.octets + [octet, 4, 4])
        }
        #expect(result == .success(expected))
    }

    @Test(
        arguments: [
            (0x02, .refused(status: 2)), (0x03, .refused(status: 3)), (0x14, .notPermitted), (0x11, .noAdapter),
        ] as [(UInt8, ManagementError)])
    func `a refusal is the answer`(status: UInt8, error: ManagementError) async throws {
        let result = try await strength { kernel in
            _ = await kernel.command(1)
            await kernel.answer(1, status: status, Self.octets + [127, 127, 127])
        }
        #expect(result == .failure(error))
    }

    @Test(arguments: [[], octets, octets + [1, 2], [UInt8](repeating: 0, count: 10), octets + [1, 2, 3, 4]])
    func `results that lie are a failure`(results: [UInt8]) async throws {
        let result = try await strength { kernel in
            _ = await kernel.command(1)
            await kernel.answer(1, results)
        }
        #expect(result == .failure(.refused(status: 0)))
    }

    @Test func `an adapter that goes ends the call, and a busy kernel is asked again`() async throws {
        let gone = try await strength { kernel in
            _ = await kernel.command(1)
            await kernel.send(0x0005, [])
        }
        #expect(gone == .failure(.noAdapter))
        let busy = try await strength { kernel in
            let first = await kernel.command(1)
            await kernel.answer(1, status: 0x0A)
            #expect(await kernel.command(2) == first)
            await kernel.answer(2, Self.octets + [0xC4, 4, 4])
        }
        #expect(busy == .success(-60))
    }

    @Test func `parameters are loaded twice where that changes a connection, as the first only makes them known`()
        async throws
    {
        let result = try await load { kernel in
            #expect(await kernel.command(1) == .init(.readVersion))
            await kernel.answer(1, [1, 23, 0])
            for number in 2...3 {
                let command = await kernel.command(number)
                #expect(command.code == 0x0035)
                #expect(command.controller == 0)
                #expect(command.parameters == [1, 0] + Self.octets + [6, 0, 24, 0, 1, 0, 2, 1])
                await kernel.answer(number)
            }
        }
        #expect(result == .success(true))
    }

    @Test(arguments: [[1, 22, 0], [0, 255, 255]] as [[UInt8]])
    func `a kernel before that takes parameters for the next connection`(version: [UInt8]) async throws {
        let result = try await load { kernel in
            _ = await kernel.command(1)
            await kernel.answer(1, version)
            _ = await kernel.command(2)
            await kernel.answer(2)
        }
        #expect(result == .success(false))
    }

    @Test func `parameters that the kernel refuses are refused`() async throws {
        let result = try await load { kernel in
            _ = await kernel.command(1)
            await kernel.answer(1, [2, 0, 0])
            _ = await kernel.command(2)
            await kernel.answer(2, status: 0x14)
        }
        #expect(result == .failure(.notPermitted))
    }

    @Test func `a kernel without an answer is given up, and one that cannot be opened is told`() async throws {
        let address = try #require(Self.address)
        let (loop, kernel, answers) = (try EventLoop(), try FakeKernel(), Recorder<Result<Int?, ManagementError>>())
        await loop.run {
            let silent = ManagementPlace(
                loop: loop, controller: 0, patience: .zero, open: { () throws(ManagementError) in try kernel.open() })
            ManagementCall.readStrength(of: address, at: silent) { answers.add($0) }
            let none = ManagementPlace(
                loop: loop, controller: 0, open: { () throws(ManagementError) in throw .noBluetooth })
            ManagementCall.readStrength(of: address, at: none) { answers.add($0) }
        }
        await answers.wait(for: 2)
        await kernel.whenClosed(1)
        await kernel.end()
        await loop.stop()
        #expect(answers.all == [.failure(.noBluetooth), .failure(.unanswered)])
    }

    @Test(
        arguments: [
            "", "C0:11:22:33:44", "C0:11:22:33:44:55:66", "C0:11:22:33:44:+5", "C0:11:22:33:44:5", "C0:11:22:33:44:5G",
            "C0:11:22:33:44::55", "C0-11-22-33-44-55",
        ])
    func `a text of another form is no address`(text: String) {
        #expect(KernelAddress(text, isRandom: true) == nil)
    }
}
#endif
