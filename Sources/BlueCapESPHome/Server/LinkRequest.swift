// SPDX-License-Identifier: MIT

/// A wish of a client for a link that it has.
enum LinkRequest: Sendable {
    case services(usesShortUUIDs: Bool)
    case read(handle: UInt32)
    case write(handle: UInt32, [UInt8], needsResponse: Bool)
    case notify(handle: UInt32, Bool)
    case pair

    /// The wish in a message, with the address of the device; nil for a message that is none.
    init?(_ message: any APIMessage, usesShortUUIDs: Bool) {
        switch message {
        case is ServicesRequest: self = .services(usesShortUUIDs: usesShortUUIDs)
        case let read as ReadRequest: self = .read(handle: read.handle)
        case let read as ReadDescriptorRequest: self = .read(handle: read.handle)
        case let write as WriteRequest:
            self = .write(handle: write.handle, write.data, needsResponse: write.needsResponse)
        case let write as WriteDescriptorRequest: self = .write(handle: write.handle, write.data, needsResponse: true)
        case let notify as NotifyRequest: self = .notify(handle: notify.handle, notify.isOn)
        default: return nil
        }
    }

    /// The device in a message of a wish; nil for a message that is none.
    static func address(in message: any APIMessage) -> UInt64? {
        switch message {
        case let request as ServicesRequest: request.address
        case let request as ReadRequest: request.address
        case let request as ReadDescriptorRequest: request.address
        case let request as WriteRequest: request.address
        case let request as WriteDescriptorRequest: request.address
        case let request as NotifyRequest: request.address
        default: nil
        }
    }

    /// The answer that it has failed.
    func failure(_ address: UInt64, _ code: Int32) -> any APIMessage {
        let handle: UInt32
        switch self {
        case .pair:
            var response = PairingResponse()
            (response.address, response.error) = (address, code)
            return response
        case .services: handle = 0
        case .read(let number), .write(let number, _, _), .notify(let number, _): handle = number
        }
        var response = ErrorResponse()
        (response.address, response.handle, response.error) = (address, handle, code)
        return response
    }
}
