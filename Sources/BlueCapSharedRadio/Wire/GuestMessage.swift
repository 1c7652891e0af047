// SPDX-License-Identifier: MIT

package import BlueCapCore
package import BlueCapSerDe

/// The role that a guest of a shared radio takes on it.
package enum GuestRole: UInt8, Sendable {
    case central = 1
    case peripheral = 2
}

/// The first message of a guest: the version that it speaks, and the adapter that it wants.
///
/// Its frame is `BlueCapR`, the version as two bytes, the role as one, and the address; every later version begins with
/// the same eight bytes and its number.
package struct GuestHello: Sendable, Hashable {
    package static let version: UInt16 = 4
    private static let magic = Bytes(Array("BlueCapR".utf8))

    package var version = Self.version
    package var role: GuestRole
    /// The address of the adapter; nil for one that no other guest has.
    package var address: String?

    package init(role: GuestRole, address: String? = nil) {
        self.role = role
        self.address = address
    }
}

extension GuestHello: JournalCodable {
    package func encode(into encoder: inout JournalEncoder) {
        encoder.bytes += Self.magic
        encoder.put(version)
        encoder.put(role.rawValue)
        encoder.put(address) { $0.put($1) }
    }

    package init(from decoder: inout JournalDecoder) throws(JournalFailure) {
        guard try decoder.take(Self.magic.count) == Self.magic else { throw .foreign }
        let version: UInt16 = try decoder.number()
        guard version == Self.version else { throw .newer(Int(version)) }
        guard let role = GuestRole(rawValue: try decoder.number()) else { throw .corrupt }
        self.init(
            role: role, address: try decoder.optional { decoder throws(JournalFailure) in try decoder.text() })
    }
}

/// A command of a guest, as its manager gave it.
package enum GuestMessage: Sendable {
    case scan(ScanRequest?)
    case connect(PeerIdentifier)
    case disconnect(PeerIdentifier)
    case perform(CentralRequest)
    case setPairingCapability(PairingCapability?)
    case answerPairing(PairingPromptID, PairingAnswer)
    case offer(PeripheralRequest)
    case respond(AccessID, Result<Bytes, ATTError>)
    case performOnChannels(ChannelRequest)
    case command(ChannelCommand)
}

extension GuestMessage: JournalCodable {
    package func encode(into encoder: inout JournalEncoder) {
        switch self {
        case .scan(let request):
            encoder.put(UInt8(1))
            encoder.put(request) {
                $0.put($1.services.sorted()) { $0.put($1) }
                $0.put($1.allowsDuplicates)
                $0.put($1.encodedModes) { $0.bytes += $1 }
            }
        case .connect(let peripheral):
            encoder.put(UInt8(2))
            encoder.put(peripheral)
        case .disconnect(let peripheral):
            encoder.put(UInt8(3))
            encoder.put(peripheral)
        case .perform(let request):
            encoder.put(UInt8(4))
            encoder.put(request.id.rawValue)
            encoder.put(request.operation)
        case .setPairingCapability(let capability):
            encoder.put(UInt8(5))
            encoder.put(capability) { $0.put($1) }
        case .answerPairing(let prompt, let answer):
            encoder.put(UInt8(6))
            encoder.put(prompt.rawValue)
            encoder.put(answer)
        case .offer(let request):
            encoder.put(UInt8(7))
            encoder.put(request.id.rawValue)
            encoder.put(request.operation)
        case .respond(let access, let result):
            encoder.put(UInt8(8))
            encoder.put(access.rawValue)
            switch result {
            case .success(let value):
                encoder.put(true)
                encoder.put(value)
            case .failure(let error):
                encoder.put(false)
                encoder.put(error.rawValue)
            }
        case .performOnChannels(let request):
            encoder.put(UInt8(9))
            encoder.put(request)
        case .command(let command):
            encoder.put(UInt8(10))
            encoder.put(command)
        }
    }

    package init(from decoder: inout JournalDecoder) throws(JournalFailure) {
        switch try decoder.number(UInt8.self) {
        case 1:
            self = .scan(
                try decoder.optional { decoder throws(JournalFailure) in
                    ScanRequest(
                        services: Set(try decoder.uuids()), allowsDuplicates: try decoder.flag(),
                        modes: Set(
                            try decoder.list { decoder throws(JournalFailure) in try decoder.value(ScanMode.self) }))
                })
        case 2: self = .connect(try decoder.value())
        case 3: self = .disconnect(try decoder.value())
        case 4:
            let id = RequestID(rawValue: try decoder.number())
            self = .perform(CentralRequest(id: id, operation: try decoder.value()))
        case 5:
            self = .setPairingCapability(
                try decoder.optional { decoder throws(JournalFailure) in try decoder.value() })
        case 6: self = .answerPairing(PairingPromptID(rawValue: try decoder.number()), try decoder.value())
        case 7:
            let id = RequestID(rawValue: try decoder.number())
            self = .offer(PeripheralRequest(id: id, operation: try decoder.value()))
        case 8:
            let access = AccessID(rawValue: try decoder.number())
            self = .respond(
                access,
                try decoder.flag()
                    ? .success(try decoder.data()) : .failure(ATTError(rawValue: try decoder.number())))
        case 9: self = .performOnChannels(try decoder.value())
        case 10: self = .command(try decoder.value())
        default: throw .corrupt
        }
    }
}

extension ScanRequest {
    /// The modes in an order of their own, so that equal requests are equal frames.
    fileprivate var encodedModes: [[UInt8]] {
        modes.map { mode in
            var encoder = JournalEncoder()
            encoder.put(mode)
            return encoder.bytes
        }.sorted { $0.lexicographicallyPrecedes($1) }
    }
}
