// SPDX-License-Identifier: MIT

/// A wish of a client for a link that it has.
enum LinkRequest: Sendable {
    case services(usesShortUUIDs: Bool)
    case read(handle: UInt32)
    case write(handle: UInt32, [UInt8], needsResponse: Bool)
    case notify(handle: UInt32, Bool)
    case pair

    /// The wish in a message; nil for a message that is none.
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

    /// The answer that it has failed.
    func failure(_ address: UInt64, _ code: Int32) -> any APIMessage {
        switch self {
        case .pair: PairingResponse(address, isDone: false, error: code)
        case .services: ErrorResponse(address, 0, code)
        case .read(let handle), .write(let handle, _, _), .notify(let handle, _): ErrorResponse(address, handle, code)
        }
    }
}
