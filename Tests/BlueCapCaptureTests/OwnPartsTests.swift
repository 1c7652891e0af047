// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import Testing

@testable import BlueCapCapture

/// Data that a host gives its controller in parts, as extended advertising allows.
@Suite(.timeLimit(.minutes(60)))
struct OwnPartsTests {
    /// LE Set Extended Advertising Data, or Scan Response Data.
    private static func command(
        _ operation: UInt8, _ data: [UInt8], set: UInt8 = 1, isScanResponse: Bool = false
    ) -> [UInt8] {
        let parameters = [set, operation, 1, UInt8(data.count)] + data
        return [isScanResponse ? 0x38 : 0x37, 0x20, UInt8(parameters.count)] + parameters
    }

    /// The twin of the controller after commands.
    private static func twin(_ commands: [[UInt8]]) -> TwinAdvertisement? {
        var analysis = CaptureAnalysis()
        for command in commands {
            analysis.add(CapturedPacket(time: nil, kind: .command, bytes: Bytes(command)))
        }
        #expect(analysis.devices.map(\.isOwn) == [true])
        return analysis.twin(of: "hci0")?.advertisement
    }

    /// A name of so many letters, and 180F.
    private static func packet(_ count: Int) -> [UInt8] {
        let name = (0..<count).map { UInt8(ascii: "a") + UInt8($0 % 26) }
        return [2, 1, 6, UInt8(count + 1), 9] + name + [3, 3, 0x0F, 0x18]
    }

    /// A packet as commands: first, intermediate ones, last.
    private static func commands(_ packet: [UInt8], part: Int, set: UInt8 = 1, isScanResponse: Bool = false)
        -> [[UInt8]]
    {
        let starts = Array(stride(from: 0, to: packet.count, by: part))
        return starts.map { start in
            let operation: UInt8 = start == 0 ? 1 : start == starts.last ? 2 : 0
            return command(
                operation, Array(packet[start..<min(start + part, packet.count)]), set: set,
                isScanResponse: isScanResponse)
        }
    }

    @Test(arguments: [(27, 16), (27, 20), (27, 1), (200, 100), (240, 251 / 2)], [false, true])
    func `they are put together`(size: (count: Int, part: Int), isScanResponse: Bool) {
        let packet = Self.packet(size.count)
        let heard = Self.twin(Self.commands(packet, part: size.part, isScanResponse: isScanResponse))
        let fields = isScanResponse ? heard?.scanResponse : heard?.data
        #expect(fields?.localName?.utf8.count == size.count)
        #expect(fields?.serviceUUIDs == ["180F"])
        #expect(fields?.flags == [.generalDiscoverable, .noBREDR])
    }

    @Test func `the parts of each set and of the scan response are kept apart`() {
        let (data, response) = (
            Self.commands(Self.packet(20), part: 15), Self.commands([2, 0x0A, 4], part: 2, isScanResponse: true)
        )
        let other = Self.commands(Self.packet(9), part: 9, set: 2)
        let heard = Self.twin([data[0], other[0], response[0], data[1], response[1]])
        #expect(heard?.data.localName?.utf8.count == 20)
        #expect(heard?.scanResponse?.txPower == 4)
    }

    @Test(arguments: [
        // The data stay as they are; a part without a beginning, also behind whole data, says nothing.
        [command(4, [])], [command(0, packet(3))], [command(2, packet(3))], [command(1, packet(3))],
        [command(7, packet(3))],
    ])
    func `whole data stay until others are whole`(commands: [[UInt8]]) {
        let heard = Self.twin([Self.command(3, Self.packet(9))] + commands)
        #expect(heard?.data.localName?.utf8.count == 9)
    }

    @Test func `data that begin anew replace those that have begun`() {
        let heard = Self.twin(
            [Self.command(1, Self.packet(3)), Self.command(1, [2, 1, 4]), Self.command(2, [3, 3, 0x0A, 0x18])])
        #expect(heard?.data == PeripheralAdvertisements(serviceUUIDs: ["180A"], flags: .noBREDR))
    }

    @Test func `more than a controller can send is not kept`() {
        let parts = (0..<8).map { Self.command($0 == 0 ? 1 : $0 == 7 ? 2 : 0, Self.packet(240)) }
        #expect(Self.twin(parts) == nil)
        let many = (0..<250).flatMap { set in (0..<6).map { Self.command($0 == 0 ? 1 : 0, Self.packet(240), set: set) }
        }
        #expect(Self.twin(many) == nil)
    }
}
