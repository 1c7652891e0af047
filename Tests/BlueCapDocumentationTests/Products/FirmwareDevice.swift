// SPDX-License-Identifier: MIT

import BlueCap
import Synchronization

/// A virtual device that takes images by ``UpdateService``.
final class FirmwareDevice: Sendable {
    struct Memory {
        var version: UInt32?
        var size = 0
        var image: [UInt8] = []
        /// The image that is in use, once there was one.
        var installed: (version: UInt32, image: [UInt8])?
        /// All bytes that came, those that came twice included.
        var receivedCount = 0
        /// The number of times that an image was begun at its first byte.
        var beginningCount = 0
        fileprivate var isGap = false
        fileprivate var partCount = 0

        fileprivate var reply: Bytes { SerDe.serialize(UInt8(isGap ? 1 : 0), UInt32(image.count)) }
    }

    private final class Flash: Sendable {
        let memory = Mutex(Memory())
    }

    private let flash = Flash()
    let peripheral: VirtualPeripheral

    init(name: String = "Bootloader", connection: VirtualConnection = VirtualConnection()) {
        let flash = flash
        let control = VirtualCharacteristic(
            UpdateService.control, properties: [.write, .notify],
            onWrite: { control, bytes in
                flash.memory.withLock { memory in
                    let (result, reply) = memory.obey(bytes)
                    if let reply { control.notify(reply) }
                    return result
                }
            })
        let data = VirtualCharacteristic(
            UpdateService.data, properties: [.writeWithoutResponse],
            onWrite: { _, bytes in
                if let reply = flash.memory.withLock({ $0.take(bytes) }) { control.notify(reply) }
                return .success(())
            })
        peripheral = VirtualPeripheral(
            name: name, connection: connection,
            services: [VirtualService(UpdateService.uuid, characteristics: [control, data])])
    }

    var memory: Memory { flash.memory.withLock { $0 } }
}

extension FirmwareDevice.Memory {
    fileprivate mutating func obey(_ command: Bytes) -> (Result<Void, ATTError>, reply: Bytes?) {
        if command == UpdateService.finish {
            guard let version, image.count == size else { return (.failure(ATTError(rawValue: 0x80)), nil) }
            installed = (version, image)
            return (.success(()), nil)
        }
        guard let (opCode, version, size) = try? SerDe.deserialize(command, as: UInt8.self, UInt32.self, UInt32.self),
            opCode == 1, size <= 1 << 20
        else { return (.failure(.invalidAttributeValueLength), nil) }
        if version != self.version || Int(size) != self.size {
            (self.version, self.size, image) = (version, Int(size), [])
            beginningCount += 1
        }
        (isGap, partCount) = (false, 0)
        return (.success(()), reply)
    }

    /// Takes a part.
    ///
    /// - Returns: The reply, where one is due.
    fileprivate mutating func take(_ bytes: Bytes) -> Bytes? {
        guard version != nil, let (place, part) = try? SerDe.deserialize(bytes, as: UInt32.self, Bytes.self) else {
            return nil
        }
        receivedCount += part.count
        guard Int(place) == image.count, image.count + part.count <= size else {
            // Of the parts behind a gap, the first is replied to.
            let isFirst = !isGap
            isGap = true
            return isFirst ? reply : nil
        }
        isGap = false
        image += part
        partCount += 1
        return partCount % UpdateService.partsPerReply == 0 || image.count == size ? reply : nil
    }
}
