// SPDX-License-Identifier: MIT

/// The name of one attribute of a `Twin` by its place: service, characteristic in it, descriptor of that.
///
/// As text, and in the test bed's protocol, it is `"0.1"` or `"0.1.0"`.
public struct PeerAttribute: Sendable, Hashable, CustomStringConvertible {
    /// The index of the service in the peer's list.
    public let service: Int
    /// The index of the characteristic in the service.
    public let characteristic: Int
    /// The index of the descriptor in the characteristic; nil for the characteristic itself.
    public let descriptor: Int?

    /// Creates the name of the attribute at the given place.
    ///
    /// - Parameters:
    ///   - service: The index of the service in the peer's list.
    ///   - characteristic: The index of the characteristic in the service.
    ///   - descriptor: The index of the descriptor in the characteristic; nil for the characteristic itself.
    public init(service: Int = 0, characteristic: Int = 0, descriptor: Int? = nil) {
        self.service = service
        self.characteristic = characteristic
        self.descriptor = descriptor
    }

    /// Creates the attribute that `text` names; nil if it names none.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2 || parts.count == 3, let service = parts[0], let characteristic = parts[1] else {
            return nil
        }
        guard parts.count == 2 || parts[2] != nil else { return nil }
        self.init(service: service, characteristic: characteristic, descriptor: parts.count == 3 ? parts[2] : nil)
    }

    /// The place as text.
    public var description: String {
        "\(service).\(characteristic)" + (descriptor.map { ".\($0)" } ?? "")
    }
}

extension PeerAttribute: Codable {
    /// Reads the test bed's form.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let attribute = PeerAttribute(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "not an attribute: \(text)"))
        }
        self = attribute
    }

    /// Writes the test bed's form.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
