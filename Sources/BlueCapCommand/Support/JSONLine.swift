// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapRuntime

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A line of `--json`: one object on one line, its keys in the order of the alphabet. Characters that a terminal would
/// obey are escaped.
enum JSONLine {
    static func text(_ value: some Encodable) -> String {
        // Events hold nothing that cannot be encoded; a lone object keeps the stream readable all the same.
        (try? text(value, [])) ?? "{}"
    }

    /// - Parameter formatting: How to set it out, beside the order of the keys.
    static func text(_ value: some Encodable, _ formatting: JSONEncoder.OutputFormatting) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, formatting]
        return PrintableText.escaping(json: String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// A UUID as people know it, such as `"2A37"`, from the full text that events have.
    static func short(_ uuid: String) -> String { (try? BluetoothUUID(text: uuid))?.description ?? uuid }

    /// A moment in UTC: `"2026-11-21T06:00:00.000Z"`.
    static func date(_ moment: Timestamp) -> String { moment.description }
}
