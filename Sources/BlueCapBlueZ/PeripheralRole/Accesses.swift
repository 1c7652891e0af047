// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapLoop
import BlueCapSerDe
import BlueCapDBus

/// Reads and writes of centrals, which the daemon turns into method calls, until the manager answers them. Loop only.
final class Accesses {
    typealias Backend = BlueZPeripheralBackend

    private struct Access {
        /// The call to be answered; nil for a write that came over a socket.
        var call: MethodCall?
        /// The device object of the central.
        var device: String?
        var isRead: Bool
    }

    private var waiting: [AccessID: Access] = [:]
    private var last: UInt64 = 0

    func read(_ attribute: AttributeID, _ call: MethodCall, _ backend: isolated Backend) {
        let options = AccessOptions(call.arguments[0])
        let access = Access(call: call, device: options.device, isRead: true)
        report(access, attribute, options, .read(offset: options.offset), backend)
    }

    func write(_ attribute: AttributeID, _ call: MethodCall, _ backend: isolated Backend) {
        let options = AccessOptions(call.arguments[1])
        // Only asks whether the parts that follow would be taken; they come as one write.
        if options.isPreparation { return call.reply() }
        let access = Access(call: call, device: options.device, isRead: false)
        let value = Bytes(call.arguments[0].bytesValue ?? [])
        report(access, attribute, options, .write(value, offset: options.offset, .unknown), backend)
    }

    /// A value that came over a socket of `AcquireWrite`: a command, to which nothing can be answered.
    private func received(
        _ value: [UInt8], of attribute: AttributeID, from options: AccessOptions, _ backend: isolated Backend
    ) {
        let access = Access(call: nil, device: options.device, isRead: false)
        report(access, attribute, options, .write(Bytes(value), offset: 0, .command), backend)
    }

    private func report(
        _ access: Access, _ attribute: AttributeID, _ options: AccessOptions, _ kind: AttributeAccess.Kind,
        _ backend: isolated Backend
    ) {
        last += 1
        let id = AccessID(rawValue: last)
        if let device = options.device {
            backend.centrals.uses(device, backend.applications.level(of: attribute, isRead: access.isRead), backend)
        }
        waiting[id] = access
        let central = options.device.map { backend.identify($0, maximumUpdateLength: options.maximumUpdateLength) }
        backend.emit(.access(AttributeAccess(id: id, attribute: attribute, central: central, kind: kind)))
    }

    /// Answers an access. An answer to one that is over has no effect.
    func respond(to id: AccessID, _ result: Result<Bytes, ATTError>) {
        guard let access = waiting.removeValue(forKey: id), let call = access.call else { return }
        switch result {
        case .success(let value):
            if access.isRead { call.reply(.bytes(Array(value))) } else { call.reply() }
        case .failure(let error):
            let reply = error.blueZReply ?? (BlueZError.notSupportedByBlueZ, "\(error)")
            call.fail(reply.name, reply.text)
        }
    }

    /// A central's link is gone, which waits for none of its accesses any more: they end in the order of coming.
    func deviceLeft(_ device: String, _ backend: isolated Backend) {
        let gone = waiting.filter { $0.value.device == device }.map(\.key).sorted { $0.rawValue < $1.rawValue }
        for id in gone { waiting[id] = nil }
        for id in gone { backend.emit(.accessCancelled(id)) }
    }

    /// Releases everything; calls without an answer are answered with an error by themselves.
    func drop() { waiting = [:] }

    // MARK: Writes over a socket

    func acquireWrite(_ attribute: AttributeID, _ call: MethodCall, _ backend: isolated Backend) {
        let options = AccessOptions(call.arguments[0])
        guard let session = backend.session else { return call.fail(BlueZError.failed, "no session") }
        do throws(LoopError) {
            let pair = try PacketPair()
            // The reader lives for as long as the daemon holds the other end.
            _ = try PacketReader(
                pair.near.duplicate(), on: session.loop,
                onPacket: backend.callback { $0.accesses.received(Array($1), of: attribute, from: options, $0) },
                onClose: { _ in })
            let unit = UInt16(clamping: options.maximumTransmissionUnit ?? 517)
            call.reply { (builder: inout MessageBuilder) throws(DBusError) in
                try builder.append(pair.far)
                try builder.append(.uint16(unit))
            }
        } catch {
            call.fail(BlueZError.failed, "\(error)")
        }
    }
}

/// The options that the daemon gives with an access. Missing options and those of another type are left out.
struct AccessOptions {
    var device: String?
    var offset: Int
    var maximumTransmissionUnit: Int?
    var isPreparation: Bool

    init(_ value: DBusValue) {
        let options = value.propertiesValue ?? [:]
        device = options["device"]?.objectPathValue
        offset = options["offset"]?.uint16Value.map(Int.init) ?? 0
        maximumTransmissionUnit = options["mtu"]?.uint16Value.map(Int.init)
        isPreparation = options["prepare-authorize"]?.boolValue ?? false
    }

    /// ATT_MTU − 3.
    var maximumUpdateLength: Int? { maximumTransmissionUnit.map { max($0 - 3, 0) } }
}

extension ATTError {
    /// The D-Bus error that BlueZ turns into this; nil where there is none. BlueZ turns `NotPermitted` into the error
    /// that fits the access.
    var blueZReply: (name: String, text: String)? {
        switch self {
        case .readNotPermitted, .writeNotPermitted: (BlueZError.notPermitted, "\(self)")
        case .requestNotSupported: (BlueZError.notSupported, "\(self)")
        case .invalidOffset: (BlueZError.invalidOffset, "\(self)")
        case .insufficientAuthorization: (BlueZError.notAuthorized, "\(self)")
        case .invalidAttributeValueLength: (BlueZError.invalidValueLength, "\(self)")
        case .unlikelyError: (BlueZError.notSupportedByBlueZ, "\(self)")
        case .procedureAlreadyInProgress: (BlueZError.inProgress, "\(self)")
        default:
            (0x80...0x9F).contains(rawValue) ? (BlueZError.failed, "0x" + String(rawValue, radix: 16)) : nil
        }
    }
}
#endif
