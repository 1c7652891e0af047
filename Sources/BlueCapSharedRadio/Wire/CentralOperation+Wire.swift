// SPDX-License-Identifier: MIT

package import BlueCapCore
import BlueCapSerDe

extension CentralOperation: JournalCodable {
    package func encode(into encoder: inout JournalEncoder) {
        switch self {
        case .retrieve(let identifiers):
            encoder.put(UInt8(1))
            encoder.put(identifiers) { $0.put($1) }
        case .retrieveConnected(let services):
            encoder.put(UInt8(2))
            encoder.put(services) { $0.put($1) }
        case .readRSSI(let peripheral): encoder.put(3, peripheral)
        case .discoverServices(let peripheral, let uuids):
            encoder.put(4, peripheral)
            encoder.put(uuids)
        case .discoverIncludedServices(let peripheral, let service, let uuids):
            encoder.put(5, peripheral, service)
            encoder.put(uuids)
        case .discoverCharacteristics(let peripheral, let service, let uuids):
            encoder.put(6, peripheral, service)
            encoder.put(uuids)
        case .discoverDescriptors(let peripheral, let characteristic): encoder.put(7, peripheral, characteristic)
        case .read(let peripheral, let attribute): encoder.put(8, peripheral, attribute)
        case .write(let peripheral, let attribute, let value, let kind):
            encoder.put(9, peripheral, attribute)
            encoder.put(value)
            encoder.put(kind, of: WriteKind.all)
        case .setNotifying(let peripheral, let attribute, let isOn, let transport):
            encoder.put(10, peripheral, attribute)
            encoder.put(isOn)
            encoder.put(transport == .socket)
        case .pair(let peripheral): encoder.put(11, peripheral)
        case .cancelPairing(let peripheral): encoder.put(12, peripheral)
        case .removeBond(let peripheral): encoder.put(13, peripheral)
        case .setConnectionParameters(let peripheral, let parameters):
            encoder.put(14, peripheral)
            encoder.put(parameters.intervalUnits.lowerBound)
            encoder.put(parameters.intervalUnits.upperBound)
            encoder.put(UInt16(parameters.latency))
            encoder.put(parameters.supervisionTimeoutUnits)
        }
    }

    package init(from decoder: inout JournalDecoder) throws(JournalFailure) {
        let tag: UInt8 = try decoder.number()
        if tag == 1 {
            self = .retrieve(try decoder.list { decoder throws(JournalFailure) in try decoder.value() })
            return
        }
        if tag == 2 {
            self = .retrieveConnected(services: try decoder.uuids())
            return
        }
        let peripheral: PeerIdentifier = try decoder.value()
        switch tag {
        case 3: self = .readRSSI(peripheral)
        case 4: self = .discoverServices(peripheral, try decoder.wanted())
        case 5:
            self = .discoverIncludedServices(peripheral, service: try decoder.attribute(), try decoder.wanted())
        case 6: self = .discoverCharacteristics(peripheral, service: try decoder.attribute(), try decoder.wanted())
        case 7: self = .discoverDescriptors(peripheral, characteristic: try decoder.attribute())
        case 8: self = .read(peripheral, try decoder.attribute())
        case 9:
            self = .write(
                peripheral, try decoder.attribute(), try decoder.data(), try decoder.choice(of: WriteKind.all))
        case 10:
            self = .setNotifying(
                peripheral, try decoder.attribute(), try decoder.flag(), try decoder.flag() ? .socket : .standard)
        case 11: self = .pair(peripheral)
        case 12: self = .cancelPairing(peripheral)
        case 13: self = .removeBond(peripheral)
        case 14: self = .setConnectionParameters(peripheral, try decoder.parameters())
        default: throw .corrupt
        }
    }
}

extension WriteKind {
    fileprivate static let all: [Self] = [.withResponse, .withoutResponse, .withoutResponseOverSocket]
}

extension JournalEncoder {
    fileprivate mutating func put(_ tag: UInt8, _ peripheral: PeerIdentifier) {
        put(tag)
        put(peripheral)
    }

    fileprivate mutating func put(_ tag: UInt8, _ peripheral: PeerIdentifier, _ attribute: AttributeID) {
        put(tag, peripheral)
        put(attribute.rawValue)
    }

    fileprivate mutating func put(_ uuids: [BluetoothUUID]?) { put(uuids) { $0.put($1) { $0.put($1) } } }
}

extension JournalDecoder {
    fileprivate mutating func parameters() throws(JournalFailure) -> ConnectionParameters {
        let (shortest, longest): (UInt16, UInt16) = (try number(), try number())
        let (latency, timeout): (UInt16, UInt16) = (try number(), try number())
        guard shortest <= longest else { throw .corrupt }
        do throws(ConnectionParametersError) {
            return try ConnectionParameters(
                interval: .microseconds(1250 * Int(shortest))...(.microseconds(1250 * Int(longest))),
                latency: Int(latency), supervisionTimeout: .milliseconds(10 * Int(timeout)))
        } catch {
            throw .corrupt
        }
    }

    fileprivate mutating func wanted() throws(JournalFailure) -> [BluetoothUUID]? {
        try optional { decoder throws(JournalFailure) in try decoder.uuids() }
    }
}
