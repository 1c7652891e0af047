// SPDX-License-Identifier: MIT

package import BlueCapCore
import BlueCapSerDe

extension CentralEvent: JournalCodable {
    package func encode(into encoder: inout JournalEncoder) {
        switch self {
        case .stateChanged(let state, let failure):
            encoder.put(UInt8(1))
            encoder.put(state)
            encoder.put(failure) { $0.put($1) }
        case .restored(let restoration):
            encoder.put(UInt8(2))
            encoder.put(restoration)
        case .sighted(let sighting):
            encoder.put(UInt8(3))
            encoder.put(sighting)
        case .sightingsCoalesced(let isOn):
            encoder.put(UInt8(4))
            encoder.put(isOn)
        case .scanFailed(let failure):
            encoder.put(UInt8(5))
            encoder.put(failure)
        case .peripheralHeard(let peripheral): encoder.put(6, peripheral)
        case .connected(let peripheral, let unit):
            encoder.put(7, peripheral)
            encoder.put(unit) { $0.put(Int64($1)) }
        case .connectFailed(let peripheral, let failure):
            encoder.put(8, peripheral)
            encoder.put(failure)
        case .disconnected(let peripheral, let failure):
            encoder.put(9, peripheral)
            encoder.put(failure) { $0.put($1) }
        case .maximumTransmissionUnitChanged(let peripheral, let unit):
            encoder.put(10, peripheral)
            encoder.put(Int64(unit))
        case .nameChanged(let peripheral, let name):
            encoder.put(11, peripheral)
            encoder.put(name)
        case .servicesChanged(let peripheral, let invalidated):
            encoder.put(12, peripheral)
            encoder.put(invalidated) { $0.put($1) { $0.put($1.rawValue) } }
        case .valueChanged(let peripheral, let attribute, let value):
            encoder.put(13, peripheral)
            encoder.put(attribute.rawValue)
            encoder.put(value)
        case .notifyingStopped(let peripheral, let attribute, let failure):
            encoder.put(14, peripheral)
            encoder.put(attribute.rawValue)
            encoder.put(failure)
        case .valuesDropped(let peripheral, let attribute, let count):
            encoder.put(15, peripheral)
            encoder.put(attribute.rawValue)
            encoder.put(UInt32(clamping: count))
        case .bondChanged(let peripheral, let isBonded):
            encoder.put(16, peripheral)
            encoder.put(isBonded)
        case .pairingRequested(let prompt):
            encoder.put(UInt8(17))
            encoder.put(prompt)
        case .pairingRequestEnded(let prompt):
            encoder.put(UInt8(18))
            encoder.put(prompt.rawValue)
        case .pairingUnavailable(let failure):
            encoder.put(UInt8(19))
            encoder.put(failure)
        case .reply(let id, let result):
            encoder.put(UInt8(20))
            encoder.put(id.rawValue)
            encoder.put(result) { $0.put($1) }
        case .scanModeRefused(let mode, let failure):
            encoder.put(UInt8(21))
            encoder.put(mode)
            encoder.put(failure)
        case .matched(let sighting, let mode):
            encoder.put(UInt8(22))
            encoder.put(sighting)
            encoder.put(mode)
        case .matchLost(let peripheral, let mode):
            encoder.put(23, peripheral)
            encoder.put(mode)
        }
    }

    package init(from decoder: inout JournalDecoder) throws(JournalFailure) {
        switch try decoder.number(UInt8.self) {
        case 1: self = .stateChanged(try decoder.value(), try decoder.failure())
        case 2: self = .restored(try decoder.value())
        case 3: self = .sighted(try decoder.value())
        case 4: self = .sightingsCoalesced(try decoder.flag())
        case 5: self = .scanFailed(try decoder.value())
        case 6: self = .peripheralHeard(try decoder.value())
        case 7:
            self = .connected(
                try decoder.value(),
                maximumTransmissionUnit: try decoder.optional { decoder throws(JournalFailure) in
                    try decoder.transmissionUnit()
                })
        case 8: self = .connectFailed(try decoder.value(), try decoder.value())
        case 9: self = .disconnected(try decoder.value(), try decoder.failure())
        case 10: self = .maximumTransmissionUnitChanged(try decoder.value(), try decoder.transmissionUnit())
        case 11: self = .nameChanged(try decoder.value(), try decoder.text())
        case 12:
            self = .servicesChanged(
                try decoder.value(),
                invalidated: try decoder.optional { decoder throws(JournalFailure) in
                    try decoder.list { decoder throws(JournalFailure) in try decoder.attribute() }
                })
        case 13: self = .valueChanged(try decoder.value(), try decoder.attribute(), try decoder.data())
        case 14: self = .notifyingStopped(try decoder.value(), try decoder.attribute(), try decoder.value())
        case 15:
            self = .valuesDropped(
                try decoder.value(), try decoder.attribute(), count: Int(clamping: try decoder.number(UInt32.self)))
        case 16: self = .bondChanged(try decoder.value(), try decoder.flag())
        case 17: self = .pairingRequested(try decoder.value())
        case 18: self = .pairingRequestEnded(PairingPromptID(rawValue: try decoder.number()))
        case 19: self = .pairingUnavailable(try decoder.value())
        case 20:
            self = .reply(
                RequestID(rawValue: try decoder.number()),
                try decoder.result { decoder throws(JournalFailure) in try decoder.value() })
        case 21: self = .scanModeRefused(try decoder.value(), try decoder.value())
        case 22: self = .matched(try decoder.value(), try decoder.value())
        case 23: self = .matchLost(try decoder.value(), try decoder.value())
        default: throw .corrupt
        }
    }
}

extension CentralReply: JournalCodable {
    package func encode(into encoder: inout JournalEncoder) {
        switch self {
        case .done: encoder.put(UInt8(1))
        case .value(let value):
            encoder.put(UInt8(2))
            encoder.put(value)
        case .rssi(let rssi):
            encoder.put(UInt8(3))
            encoder.put(Int64(rssi))
        case .services(let services):
            encoder.put(UInt8(4))
            encoder.put(services) { $0.put($1) }
        case .characteristics(let characteristics):
            encoder.put(UInt8(5))
            encoder.put(characteristics) {
                $0.put($1.id.rawValue)
                $0.put($1.uuid)
                $0.put($1.properties.rawValue)
            }
        case .descriptors(let descriptors):
            encoder.put(UInt8(6))
            encoder.put(descriptors) {
                $0.put($1.id.rawValue)
                $0.put($1.uuid)
            }
        case .peripherals(let peripherals):
            encoder.put(UInt8(7))
            encoder.put(peripherals) { $0.put($1) }
        case .parameters(let effect):
            encoder.put(UInt8(8))
            encoder.put(effect == .now)
        }
    }

    package init(from decoder: inout JournalDecoder) throws(JournalFailure) {
        switch try decoder.number(UInt8.self) {
        case 1: self = .done
        case 2: self = .value(try decoder.data())
        case 3: self = .rssi(try decoder.level())
        case 4: self = .services(try decoder.list { decoder throws(JournalFailure) in try decoder.value() })
        case 5:
            self = .characteristics(
                try decoder.list { decoder throws(JournalFailure) in
                    DiscoveredCharacteristic(
                        id: try decoder.attribute(), uuid: try decoder.uuid(),
                        properties: CharacteristicProperties(rawValue: try decoder.number()))
                })
        case 6:
            self = .descriptors(
                try decoder.list { decoder throws(JournalFailure) in
                    DiscoveredDescriptor(id: try decoder.attribute(), uuid: try decoder.uuid())
                })
        case 7: self = .peripherals(try decoder.list { decoder throws(JournalFailure) in try decoder.value() })
        case 8: self = .parameters(try decoder.flag() ? .now : .nextConnection)
        default: throw .corrupt
        }
    }
}

extension JournalEncoder {
    fileprivate mutating func put(_ tag: UInt8, _ peripheral: PeerIdentifier) {
        put(tag)
        put(peripheral)
    }

    mutating func put<Value>(
        _ result: Result<Value, OperationFailure>, _ encode: (inout JournalEncoder, Value) -> Void
    ) {
        switch result {
        case .success(let value):
            put(true)
            encode(&self, value)
        case .failure(let failure):
            put(false)
            put(failure)
        }
    }
}

extension JournalDecoder {
    mutating func failure() throws(JournalFailure) -> BackendFailure? {
        try optional { decoder throws(JournalFailure) in try decoder.value() }
    }

    mutating func result<Value>(
        _ decode: (inout JournalDecoder) throws(JournalFailure) -> Value
    ) throws(JournalFailure) -> Result<Value, OperationFailure> {
        try flag() ? .success(try decode(&self)) : .failure(try value())
    }

    /// A level in dBm.
    mutating func level() throws(JournalFailure) -> Int {
        let level = try integer()
        guard (-128...127).contains(level) else { throw .corrupt }
        return level
    }

    /// An ATT_MTU.
    fileprivate mutating func transmissionUnit() throws(JournalFailure) -> Int {
        let unit = try integer()
        guard (23...517).contains(unit) else { throw .corrupt }
        return unit
    }
}
