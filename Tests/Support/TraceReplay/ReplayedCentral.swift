// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import BlueCapTesting

/// Carries out the notes of a trace with a far central, and returns the results that it sees.
actor ReplayedCentral {
    /// The result that a central sees of a command.
    enum Sight: Equatable {
        case advertisements(PeripheralAdvertisements)
        /// The properties of the application's characteristics.
        case characteristics([BluetoothUUID: CharacteristicProperties])
        case value(Bytes)
        case values([Bytes])
        case error(ATTError)
        case isPaired(Bool)
        case done
    }

    private static let prefix = "central_"
    /// The scenarios' applications have this service; the others are the daemon's own.
    private static let service: BluetoothUUID = "180D"

    private let central: any FarCentral
    private var heard: HeardDevice?
    private var attributes: [BluetoothUUID: AttributeID] = [:]

    init(_ central: any FarCentral) { self.central = central }

    /// Whether the command is one for a central.
    static func takes(_ note: JSONValue) -> Bool { note["cmd"]?.text?.hasPrefix(prefix) == true }

    func perform(_ note: JSONValue) async throws -> Sight {
        switch (note["cmd"]?.text ?? "").dropFirst(Self.prefix.count) {
        case "scan":
            let name = note["name"]?.text
            let heard = try await central.hear { $0.localName == name }
            self.heard = heard
            return .advertisements(heard.advertisements)
        case "connect": return try await connect(note)
        case "read": return try await central.read(attribute(note)).map(Sight.value).sight
        case "write":
            let isCommand = note["response"]?.bool == false
            let outcome = try await central.write(
                Bytes(hex: note["value"]?.text ?? ""), to: attribute(note), isCommand: isCommand)
            return outcome.map { .done }.sight
        case "subscribe":
            try await central.subscribe(to: attribute(note), indications: note["indicate"]?.bool == true)
        case "unsubscribe": try await central.unsubscribe(from: attribute(note))
        case "received":
            return .values(try await central.received(from: attribute(note), count: note["count"]?.integer ?? 0))
        case "pair": return .isPaired(try await central.pair())
        case "disconnect": try await central.disconnect()
        default: throw ReplayError("a trace cannot be replayed with \(note.canonical)")
        }
        return .done
    }

    private func connect(_ note: JSONValue) async throws -> Sight {
        guard let heard else { throw ReplayError("nothing was heard before \(note.canonical)") }
        let services = try await central.connect(to: heard)
        let found = services.filter { $0.uuid == Self.service }.flatMap(\.characteristics)
        attributes = Dictionary(found.map { ($0.uuid, $0.id) }) { first, _ in first }
        return .characteristics(Dictionary(found.map { ($0.uuid, $0.properties) }) { first, _ in first })
    }

    private func attribute(_ note: JSONValue) throws -> AttributeID {
        guard let text = note["characteristic"]?.text, let attribute = attributes[try BluetoothUUID(text: text)] else {
            throw ReplayError("no characteristic for \(note.canonical)")
        }
        return attribute
    }
}

extension ReplayedCentral.Sight {
    /// The result that the trace recorded for its central.
    init(note: JSONValue) throws {
        if let advertisement = note["advertisement"]?.text, let response = note["scanResponse"]?.text {
            let packets = [try Bytes(hex: advertisement), try Bytes(hex: response)]
            self = .advertisements(PeripheralAdvertisements(packets: packets))
        } else if let value = note["value"]?.text {
            self = .value(try Bytes(hex: value))
        } else if let values = note["values"]?.list {
            self = .values(try values.map { try Bytes(hex: $0.text ?? "") })
        } else if let code = note["code"]?.integer {
            self = .error(ATTError(rawValue: UInt8(code)))
        } else if let isPaired = note["isPaired"]?.bool {
            // The reason of a refusal is for readers: not every far central reports it.
            self = .isPaired(isPaired)
        } else if let found = note.object, !found.isEmpty {
            var characteristics: [BluetoothUUID: CharacteristicProperties] = [:]
            for (uuid, properties) in found {
                characteristics[try BluetoothUUID(text: uuid)] = .init(rawValue: UInt16(properties.integer ?? 0))
            }
            self = .characteristics(characteristics)
        } else {
            self = .done
        }
    }
}

extension Result where Success == ReplayedCentral.Sight, Failure == ATTError {
    fileprivate var sight: Success {
        switch self {
        case .success(let sight): sight
        case .failure(let error): .error(error)
        }
    }
}

extension Trace {
    /// The longest ATT packet of its central.
    var centralUnit: Int {
        for case .peer(let note) in lines where note["cmd"]?.text == "central_connect" {
            return note["mtu"]?.integer ?? 517
        }
        return 517
    }

    /// Whether the client left a question unanswered that the daemon asked because of the command on this line.
    func leavesUnanswered(after index: Int) -> Bool {
        for line in lines[(index + 1)...] {
            switch line {
            case .saw: return false
            case .question(let number, _):
                let isAnswered = lines.contains { if case .answer(number, _, _, _) = $0 { true } else { false } }
                if !isAnswered { return true }
            default: break
            }
        }
        return false
    }
}
