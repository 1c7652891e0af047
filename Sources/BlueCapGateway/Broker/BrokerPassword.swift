// SPDX-License-Identifier: MIT

/// A password for a broker, which no description prints.
package struct BrokerPassword: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    let text: String

    package init(_ text: String) { self.text = text }

    package var description: String { "BrokerPassword" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
