// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
package import BlueCapCore
package import BlueCapSerDe
import BlueCapTesting

extension FakePeer: ChannelPeer {
    package func publish(_ channel: TwinChannel) async throws { try await device { $0.channels.publish(channel) } }

    package func channelUnits(psm: UInt16) async throws -> [Bytes] {
        try await device { $0.channels.units(of: psm) }
    }

    package func wait(forChannels count: Int, psm: UInt16) async throws {
        await wait { $0.channels.count(of: psm) == count }
    }

    package func sendUnits(_ units: [Bytes], psm: UInt16) async throws {
        try await device { $0.channels.send(units, psm: psm) }
    }

    package func closeChannels(psm: UInt16) async throws { try await device { $0.channels.close(psm: psm) } }

    package func misbehave(_ fault: TwinChannel.Fault, psm: UInt16) async throws {
        try await device { $0.channels.misbehave(fault, psm: psm) }
    }
}
#endif
