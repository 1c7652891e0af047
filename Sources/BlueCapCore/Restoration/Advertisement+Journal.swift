// SPDX-License-Identifier: MIT

import BlueCapSerDe

extension Advertisement: JournalCodable {
    package func encode(into encoder: inout JournalEncoder) {
        encoder.put(kind == .connectable)
        encoder.put(localName) { $0.put($1) }
        encoder.put(serviceUUIDs) { $0.put($1) }
        // In one order, so that equal advertisements give equal bytes.
        encoder.put(serviceData.sorted { $0.key < $1.key }) {
            $0.put($1.key)
            $0.put($1.value)
        }
        encoder.put(manufacturerData.sorted { $0.key < $1.key }) {
            $0.put($1.key)
            $0.put($1.value)
        }
        encoder.put(solicitedServiceUUIDs) { $0.put($1) }
        encoder.put(appearance) { $0.put($1) }
        encoder.put(includesTxPower)
        encoder.put(txPower) { $0.put(Int64($1)) }
        encoder.put(isDiscoverable) { $0.put($1) }
        encoder.put(structures) { $0.put($1) }
        encoder.put(scanResponse) { $0.put($1) }
        encoder.put(interval) {
            $0.put($1.lowerBound)
            $0.put($1.upperBound)
        }
        encoder.put(duration) { $0.put($1) }
        encoder.put(timeout) { $0.put($1) }
        encoder.put(secondaryPHY) { $0.put($1.rawValue) }
    }

    package init(from decoder: inout JournalDecoder) throws(JournalFailure) {
        self.init(kind: try decoder.flag() ? .connectable : .broadcast)
        localName = try decoder.optional { decoder throws(JournalFailure) in try decoder.text() }
        serviceUUIDs = try decoder.list { decoder throws(JournalFailure) in try decoder.uuid() }
        let serviceData = try decoder.list { decoder throws(JournalFailure) in
            (try decoder.uuid(), try decoder.data())
        }
        self.serviceData = Dictionary(serviceData) { first, _ in first }
        let manufacturerData = try decoder.list { decoder throws(JournalFailure) in
            (try decoder.number(UInt16.self), try decoder.data())
        }
        self.manufacturerData = Dictionary(manufacturerData) { first, _ in first }
        solicitedServiceUUIDs = try decoder.list { decoder throws(JournalFailure) in try decoder.uuid() }
        appearance = try decoder.optional { decoder throws(JournalFailure) in try decoder.number() }
        includesTxPower = try decoder.flag()
        txPower = try decoder.optional { decoder throws(JournalFailure) in try decoder.integer() }
        isDiscoverable = try decoder.optional { decoder throws(JournalFailure) in try decoder.flag() }
        structures = try decoder.list { decoder throws(JournalFailure) in try decoder.value() }
        scanResponse = try decoder.list { decoder throws(JournalFailure) in try decoder.value() }
        interval = try decoder.optional { decoder throws(JournalFailure) in
            let (lower, upper) = (try decoder.duration(), try decoder.duration())
            guard lower <= upper else { throw .corrupt }
            return lower...upper
        }
        duration = try decoder.optional { decoder throws(JournalFailure) in try decoder.duration() }
        timeout = try decoder.optional { decoder throws(JournalFailure) in try decoder.duration() }
        guard decoder.version > 3 else { return }
        secondaryPHY = try decoder.optional { decoder throws(JournalFailure) in
            guard let phy = SecondaryPHY(rawValue: try decoder.text()) else { throw .corrupt }
            return phy
        }
    }
}

extension ADStructure: JournalCodable {
    package func encode(into encoder: inout JournalEncoder) {
        encoder.put(type)
        encoder.put(data)
    }

    package init(from decoder: inout JournalDecoder) throws(JournalFailure) {
        self.init(type: try decoder.number(), data: try decoder.data())
    }
}
