// SPDX-License-Identifier: MIT

/// A message of the native API.
package protocol APIMessage: APIGroup {
    static var number: UInt16 { get }
}

extension APIMessage {
    /// A message without fields.
    package static var fields: [APIField<Self>] { [] }

    package var raw: RawMessage { RawMessage(number: Self.number, body: encoded[...]) }

    fileprivate init(_ raw: RawMessage) throws(WireError) { try self.init(encoded: raw.body) }
}

extension RawMessage {
    /// The message of a type that has this number.
    package func decoded(_ type: any APIMessage.Type) throws(WireError) -> any APIMessage { try type.init(self) }
}
