// SPDX-License-Identifier: MIT

import BlueCap

/// The device that the checks of the central role use.
enum SecondDevice {
    static let name = "BlueCap check"
    static let service: BluetoothUUID = "6B1C0000-35C4-4E4C-9D55-2F8C6A1E0B10"
    /// A long value that is read and written.
    static let long: BluetoothUUID = "6B1C0001-35C4-4E4C-9D55-2F8C6A1E0B10"
    /// A value that commands write.
    static let command: BluetoothUUID = "6B1C0002-35C4-4E4C-9D55-2F8C6A1E0B10"
    /// A value that commands write, each of which the device notifies in turn.
    static let counted: BluetoothUUID = "6B1C0005-35C4-4E4C-9D55-2F8C6A1E0B10"
    /// Values that are indicated.
    static let indicated: BluetoothUUID = "6B1C0003-35C4-4E4C-9D55-2F8C6A1E0B10"
    /// A value that is read over an encrypted link alone.
    static let protected: BluetoothUUID = "6B1C0004-35C4-4E4C-9D55-2F8C6A1E0B10"
    static let manufacturerData: [UInt16: Bytes] = [0xFFFF: [1, 2]]
    static let longValue = Bytes((0..<300).map { UInt8(truncatingIfNeeded: $0) })
    static let levels: [Bytes] = [[99], [98], [97]]
    static let indications: [Bytes] = [[1], [2]]
    static let burst = (1...100 as ClosedRange<UInt8>).map { Bytes([$0]) }

    static var twin: Twin {
        let level = TwinCharacteristic(
            "2A19", properties: [.read, .notify], value: [100], notifications: notifications(levels))
        let characteristics = [
            TwinCharacteristic(
                long, properties: [.read, .write], value: longValue,
                descriptors: [TwinDescriptor("2901", value: Bytes("Long value".utf8))]),
            TwinCharacteristic(command, properties: [.read, .writeWithoutResponse], value: [0]),
            TwinCharacteristic(
                counted, properties: [.writeWithoutResponse, .notify],
                answers: burst.map { TwinAnswer(write: $0, replies: [TwinReply(value: $0)]) }),
            TwinCharacteristic(indicated, properties: [.indicate], notifications: notifications(indications)),
            TwinCharacteristic(protected, properties: [.read], value: [7], readSecurity: .encrypted),
        ]
        var data = PeripheralAdvertisements(manufacturerData: manufacturerData, serviceUUIDs: ["180F"])
        data.flags = [.generalDiscoverable, .noBREDR]
        return Twin(
            name: name,
            advertisement: TwinAdvertisement(data: data, scanResponse: PeripheralAdvertisements(localName: name)),
            services: [
                TwinService("180F", characteristics: [level]), TwinService(service, characteristics: characteristics),
            ])
    }

    private static func notifications(_ values: [Bytes]) -> [TwinNotification] {
        values.enumerated().map { TwinNotification(after: .milliseconds(200 * ($0 + 1)), value: $1) }
    }
}
