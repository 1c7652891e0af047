// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
package import BlueCapDBus

// Tests write properties as they write dictionaries.
extension WireProperties: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, DBusValue)...) {
        self.init()
        for (name, value) in elements { set(name, value) }
    }

    private mutating func set(_ name: String, _ value: DBusValue) {
        do {
            try set(name, to: value)
        } catch {
            preconditionFailure("\(name) in a test: \(error)")
        }
    }
}
#endif
