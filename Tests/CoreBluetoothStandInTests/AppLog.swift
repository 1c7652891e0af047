// SPDX-License-Identifier: MIT

import BlueCapRuntime
import CoreBluetooth
import Foundation

/// The callbacks of an app's delegates in their order, as texts.
final class AppLog: Sendable {
    private let lines = Locked<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    func add(_ line: String) { lines.withLock { $0.append(line) } }

    func clear() { lines.withLock { $0 = [] } }

    func count(_ prefix: String) -> Int { all.count { $0.hasPrefix(prefix) } }

    /// An error as domain and code (F5).
    static func text(_ error: (any Error)?) -> String {
        guard let error else { return "" }
        let plain = error as NSError
        return " \(plain.domain == CBATTErrorDomain ? "ATT" : "CB")\(plain.code)"
    }

    static func text(_ data: Data?) -> String {
        data.map { "[" + $0.map { String($0, radix: 16) }.joined(separator: " ") + "]" } ?? "nil"
    }
}
