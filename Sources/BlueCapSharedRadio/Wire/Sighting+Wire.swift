// SPDX-License-Identifier: MIT

package import BlueCapCore
import BlueCapSerDe

extension Sighting: JournalCodable {
    package func encode(into encoder: inout JournalEncoder) {
        encoder.put(peripheral)
        encoder.put(name) { $0.put($1) }
        encoder.put(advertisements)
        encoder.put(rssi) { $0.put(Int64($1)) }
        encoder.put(isBonded) { $0.put($1) }
        encoder.put(hasRandomAddress) { $0.put($1) }
    }

    package init(from decoder: inout JournalDecoder) throws(JournalFailure) {
        self.init(
            peripheral: try decoder.value(),
            name: try decoder.optional { decoder throws(JournalFailure) in try decoder.text() },
            advertisements: try decoder.value(),
            rssi: try decoder.optional { decoder throws(JournalFailure) in try decoder.level() },
            isBonded: try decoder.optional { decoder throws(JournalFailure) in try decoder.flag() })
        hasRandomAddress = try decoder.optional { decoder throws(JournalFailure) in try decoder.flag() }
    }
}

extension KnownPeripheral: JournalCodable {
    package func encode(into encoder: inout JournalEncoder) {
        encoder.put(id)
        encoder.put(name) { $0.put($1) }
        encoder.put(advertisements)
        encoder.put(isConnected)
        encoder.put(isBonded) { $0.put($1) }
    }

    package init(from decoder: inout JournalDecoder) throws(JournalFailure) {
        self.init(
            id: try decoder.value(),
            name: try decoder.optional { decoder throws(JournalFailure) in try decoder.text() },
            advertisements: try decoder.value(), isConnected: try decoder.flag(),
            isBonded: try decoder.optional { decoder throws(JournalFailure) in try decoder.flag() })
    }
}

extension PeripheralAdvertisements: JournalCodable {
    package func encode(into encoder: inout JournalEncoder) {
        encoder.put(localName) { $0.put($1) }
        encoder.put(manufacturerData.sorted { $0.key < $1.key }) {
            $0.put($1.key)
            $0.put($1.value)
        }
        encoder.put(txPower) { $0.put(Int64($1)) }
        encoder.put(isConnectable) { $0.put($1) }
        encoder.put(serviceUUIDs) { $0.put($1) }
        encoder.put(serviceData.sorted { $0.key < $1.key }) {
            $0.put($1.key)
            $0.put($1.value)
        }
        encoder.put(overflowServiceUUIDs) { $0.put($1) }
        encoder.put(solicitedServiceUUIDs) { $0.put($1) }
        encoder.put(appearance) { $0.put($1) }
        encoder.put(flags) { $0.put($1.rawValue) }
        encoder.put(structures) { $0.put($1) }
    }

    package init(from decoder: inout JournalDecoder) throws(JournalFailure) {
        let localName = try decoder.optional { decoder throws(JournalFailure) in try decoder.text() }
        let manufacturerData = try decoder.list { decoder throws(JournalFailure) in
            (try decoder.number(UInt16.self), try decoder.data())
        }
        let txPower = try decoder.optional { decoder throws(JournalFailure) in try decoder.level() }
        let isConnectable = try decoder.optional { decoder throws(JournalFailure) in try decoder.flag() }
        let serviceUUIDs = try decoder.uuids()
        let serviceData = try decoder.list { decoder throws(JournalFailure) in
            (try decoder.uuid(), try decoder.data())
        }
        self.init(
            localName: localName, manufacturerData: Dictionary(manufacturerData) { first, _ in first },
            txPower: txPower, isConnectable: isConnectable, serviceUUIDs: serviceUUIDs,
            serviceData: Dictionary(serviceData) { first, _ in first }, overflowServiceUUIDs: try decoder.uuids(),
            solicitedServiceUUIDs: try decoder.uuids(),
            appearance: try decoder.optional { decoder throws(JournalFailure) in try decoder.number() },
            flags: try decoder.optional { decoder throws(JournalFailure) in
                AdvertisingFlags(rawValue: try decoder.number())
            },
            structures: try decoder.list { decoder throws(JournalFailure) in try decoder.value() })
    }
}
