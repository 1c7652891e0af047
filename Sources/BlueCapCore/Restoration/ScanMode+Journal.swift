// SPDX-License-Identifier: MIT

import BlueCapSerDe

extension ScanMode: JournalCodable {
    package func encode(into encoder: inout JournalEncoder) {
        switch self {
        case .active: encoder.put("active")
        case .everyPacket: encoder.put("everyPacket")
        case .passive(let patterns, let signal):
            encoder.put("passive")
            encoder.put(patterns) { $0.put($1) }
            encoder.put(signal) { $0.put($1) }
        }
    }

    package init(from decoder: inout JournalDecoder) throws(JournalFailure) {
        switch try decoder.text() {
        case "active": self = .active
        case "everyPacket": self = .everyPacket
        case "passive":
            self = .passive(
                patterns: try decoder.list { decoder throws(JournalFailure) in try decoder.value() },
                signal: try decoder.optional { decoder throws(JournalFailure) in try decoder.value() })
        default: throw .corrupt
        }
    }
}

extension AdvertisingPattern: JournalCodable {
    package func encode(into encoder: inout JournalEncoder) {
        encoder.put(type)
        encoder.put(Int64(start))
        encoder.put(content)
    }

    package init(from decoder: inout JournalDecoder) throws(JournalFailure) {
        let (type, start) = (try decoder.number(UInt8.self), try decoder.integer())
        self.init(type: type, content: try decoder.data(), start: start)
    }
}

extension SignalThresholds: JournalCodable {
    package func encode(into encoder: inout JournalEncoder) {
        encoder.put(Int64(high))
        encoder.put(highTime)
        encoder.put(Int64(low))
        encoder.put(lowTime)
        encoder.put(samplingPeriod) { $0.put($1) }
    }

    package init(from decoder: inout JournalDecoder) throws(JournalFailure) {
        self.init(
            high: try decoder.integer(), highTime: try decoder.duration(), low: try decoder.integer(),
            lowTime: try decoder.duration(),
            samplingPeriod: try decoder.optional { decoder throws(JournalFailure) in try decoder.duration() })
    }
}
