// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
@testable import BlueCapBlueZ
import BlueCapCore
import BlueCapDBus
import BlueCapFakeKernel
import BlueCapKernel
import BlueCapLoop
import BlueCapSerDe
import Testing

extension OverABus {
    /// Requests that the kernel answers beside the daemon.
    @Suite(.timeLimit(.minutes(60)))
    struct KernelTests {
        /// The address of ``Stage/id`` with its type.
        private static let octets: [UInt8] = [1, 0, 0, 0, 0, 0xC0, 2]

        private func connected() async throws -> Stage {
            let stage = try await Stage.connected()
            await stage.stub.run { $0.set(Stage.device, BlueZInterface.device, ["AddressType": .string("random")]) }
            try await stage.settle()
            return stage
        }

        @Test func `the signal strength of a connection is the kernel's`() async throws {
            let stage = try await connected()
            let kernel = try await stage.useKernel()
            let id = await stage.request(.readRSSI(Stage.id))
            #expect(await kernel.command(1).parameters == Self.octets)
            await kernel.answer(1, Self.octets + [0xC4, 4, 4])
            #expect(try await stage.answer(to: id) == .success(.rssi(-60)))
            await kernel.whenClosed(1)
            await kernel.end()
        }

        @Test(arguments: [2, 3, 5, 0x14] as [UInt8])
        func `a signal strength that the kernel does not give is not to be had`(status: UInt8) async throws {
            let stage = try await connected()
            let kernel = try await stage.useKernel()
            let id = await stage.request(.readRSSI(Stage.id))
            _ = await kernel.command(1)
            await kernel.answer(1, status: status, Self.octets + [127, 127, 127])
            #expect(try await stage.answer(to: id) == .failure(.rssiUnavailable))
            await kernel.end()
        }

        @Test(arguments: [(22, 2, .nextConnection), (23, 3, .now)] as [(UInt8, Int, ConnectionParameters.Effect)])
        func `parameters take effect when the kernel's version says`(
            version: UInt8, count: Int, effect: ConnectionParameters.Effect
        ) async throws {
            let stage = try await connected()
            let kernel = try await stage.useKernel()
            let parameters = try ConnectionParameters(interval: .milliseconds(15)...(.milliseconds(30)), latency: 2)
            let id = await stage.request(.setConnectionParameters(Stage.id, parameters))
            _ = await kernel.command(1)
            await kernel.answer(1, [1, version, 0])
            for number in 2...count {
                #expect(
                    await kernel.command(number).parameters == [1, 0] + Self.octets + [12, 0, 24, 0, 2, 0, 0x90, 1])
                await kernel.answer(number)
            }
            #expect(try await stage.answer(to: id) == .success(.parameters(effect)))
            await kernel.whenClosed(1)
            await kernel.end()
        }

        @Test func `parameters are refused by the name of the capability, also without a socket`() async throws {
            let stage = try await connected()
            let kernel = try await stage.useKernel()
            let parameters = try ConnectionParameters(interval: .milliseconds(15)...(.milliseconds(30)))
            let operation = CentralOperation.setConnectionParameters(Stage.id, parameters)
            let id = await stage.request(operation)
            _ = await kernel.command(1)
            await kernel.answer(1, [1, 23, 0])
            _ = await kernel.command(2)
            await kernel.answer(2, status: 0x14)
            let refusal = try await stage.answer(to: id)
            await stage.command {
                $0.session?.openManagement(by: { () throws(ManagementError) in throw .notPermitted })
            }
            #expect(try await stage.perform(operation) == refusal)
            guard case .failure(.backend(let failure)) = refusal else { throw Unexpected("\(refusal)") }
            #expect(failure.name == "Management.NotPermitted")
            #expect(failure.message.contains("CAP_NET_ADMIN"))
            await kernel.end()
        }
    }
}

extension Stage {
    /// Gives the session a kernel that the test plays.
    func useKernel() async throws -> FakeKernel {
        let kernel = try FakeKernel()
        await command { $0.session?.openManagement(by: { () throws(ManagementError) in try kernel.open() }) }
        return kernel
    }
}
#endif
