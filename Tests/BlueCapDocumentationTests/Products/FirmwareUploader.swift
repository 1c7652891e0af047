// SPDX-License-Identifier: MIT

import BlueCap

/// The service by which a device takes an image in parts.
enum UpdateService {
    static let uuid: BluetoothUUID = "7A0E0001-5C3D-4B8A-9F21-6D4C10B2A9E5"
    /// Takes commands, and replies with the number of bytes that the device has.
    static let control: BluetoothUUID = "7A0E0002-5C3D-4B8A-9F21-6D4C10B2A9E5"
    /// Takes parts without a response: the place of each in the image, and its bytes.
    static let data: BluetoothUUID = "7A0E0003-5C3D-4B8A-9F21-6D4C10B2A9E5"
    /// The number of parts for which the device replies once.
    static let partsPerReply = 8

    /// The command that begins an image, or goes on with it: the reply says where.
    static func begin(_ version: UInt32, size: Int) -> Bytes {
        SerDe.serialize(UInt8(1), version, UInt32(size))
    }

    /// The command that ends an image; a device that has not all of it refuses.
    static let finish: Bytes = [2]
}

/// Sends images to a device, each until the device has it, and goes on where the last link was lost.
struct FirmwareUploader: Sendable {
    let central: CentralManager
    /// The number of parts that are on their way without a reply.
    var window = 3 * UpdateService.partsPerReply

    /// Returns when the device has the image.
    func upload(_ image: [UInt8], version: UInt32) async throws {
        while true {
            do {
                try await central.whenPoweredOn()
                let device = try await central.firstDiscovery(for: [UpdateService.uuid]).peripheral
                let services = [UpdateService.uuid]
                return try await device.stayConnected(.never, timeout: .seconds(10), discovering: services) { device in
                    try await send(image, version, over: device)
                }
            } catch {
                // The link was lost, or the device is silent: look for it again, as it may use another address.
                try await central.clock.sleep(for: .seconds(2))
            }
        }
    }

    private func send(_ image: [UInt8], _ version: UInt32, over device: Peripheral) async throws {
        let control = try device.characteristic(UpdateService.control)
        let data = try device.characteristic(UpdateService.data)
        let size = device.maximumWriteLength(for: .withoutResponse) - 4
        let replies = try await control.notifications(
            capacity: .unbounded, timeout: .seconds(5), valueTimeout: .seconds(5))
        try await control.write(UpdateService.begin(version, size: image.count), timeout: .seconds(5))
        var sent: Int?
        for try await reply in replies {
            let (isGap, place) = try SerDe.deserialize(reply, as: UInt8.self, UInt32.self)
            let received = Int(place)
            if received >= image.count { break }
            // The first reply says where to begin, and one of a gap where to begin again.
            var next = isGap == 1 ? received : sent ?? received
            while next < image.count, next < received + window * size {
                let end = min(next + size, image.count)
                try await data.write(
                    SerDe.serialize(UInt32(next), Bytes(Array(image[next..<end]))), kind: .withoutResponse,
                    timeout: .seconds(5))
                next = end
            }
            sent = next
        }
        try await control.write(UpdateService.finish, timeout: .seconds(5))
    }
}
