// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
public import BlueCapCore
public import BlueCapSerDe
import BlueCapDBus

// Reads and writes of centrals, which the daemon turns into method calls.
extension BlueZPeripheralBackend {
    func read(_ attribute: AttributeID, _ call: MethodCall) {
        let options = AccessOptions(call.arguments[0])
        let id = accesses.add(.init(call: call, device: options.device, isRead: true))
        tell(id, attribute, options, .read(offset: options.offset))
    }

    func write(_ attribute: AttributeID, _ call: MethodCall) {
        let options = AccessOptions(call.arguments[1])
        // Only asks whether the parts that follow would be taken; they come as one write.
        if options.isPreparation { return call.reply() }
        let id = accesses.add(.init(call: call, device: options.device, isRead: false))
        let value = Bytes(call.arguments[0].bytesValue ?? [])
        tell(id, attribute, options, .write(value, offset: options.offset, .unknown))
    }

    /// A value that came over a socket of `AcquireWrite`: a command, to which nothing can be answered.
    func received(_ value: [UInt8], of attribute: AttributeID, from options: AccessOptions) {
        let id = accesses.add(.init(call: nil, device: options.device, isRead: false))
        tell(id, attribute, options, .write(Bytes(value), offset: 0, .command))
    }

    private func tell(
        _ id: AccessID, _ attribute: AttributeID, _ options: AccessOptions, _ kind: AttributeAccess.Kind
    ) {
        let central = options.device.map { identify($0, maximumUpdateLength: options.maximumUpdateLength) }
        emit(.access(AttributeAccess(id: id, attribute: attribute, central: central, kind: kind)))
    }

    /// Answers an access of a central. An error that BlueZ cannot express is sent as 0x0E. An answer to an access that
    /// is over has no effect.
    ///
    /// - Parameters:
    ///   - access: The identifier of the access.
    ///   - result: The value from the requested offset on for a read, no bytes for a write, or the error that the
    ///     central receives.
    public func respond(to access: AccessID, _ result: Result<Bytes, ATTError>) {
        guard let entry = accesses.take(access), let call = entry.call else { return }
        switch result {
        case .success(let value):
            if entry.isRead { call.reply(.bytes(Array(value))) } else { call.reply() }
        case .failure(let error):
            let reply = error.blueZReply ?? (BlueZError.notSupportedByBlueZ, "\(error)")
            call.fail(reply.name, reply.text)
        }
    }

    /// A central's link is gone.
    func deviceLeft(_ device: String) {
        for id in accesses.take(of: device) { emit(.accessCancelled(id)) }
        subscriberLeft(device)
    }

    // MARK: Writes over a socket

    func acquireWrite(_ attribute: AttributeID, _ call: MethodCall) {
        let options = AccessOptions(call.arguments[0])
        guard let session else { return call.fail(BlueZError.failed, "no session") }
        do throws(DBusError) {
            let pair = try PacketPair()
            // The reader lives for as long as the daemon holds the other end.
            _ = try PacketReader(
                pair.near.duplicate(), on: session.loop,
                onPacket: callback { $0.received(Array($1), of: attribute, from: options) },
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
