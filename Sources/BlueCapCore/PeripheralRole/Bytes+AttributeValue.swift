// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// The maximum length of an attribute's value in bytes (Core Specification, Vol 3, Part F, 3.2.9).
let maximumAttributeLength = 512

extension Optional<Bytes> {
    /// Writes a part at an offset. The bytes before it stay, and the bytes after it are removed, because the end of a
    /// long write is the end of the value.
    ///
    /// - Returns: The error for the central, which means that the value did not change; nil for success.
    mutating func splice(_ part: Bytes, at offset: Int) -> ATTError? {
        let old = self ?? Bytes()
        guard offset >= 0, offset <= old.count else { return .invalidOffset }
        guard part.count <= maximumAttributeLength - offset else { return .invalidAttributeValueLength }
        var new = Bytes(old.prefix(offset))
        new.append(contentsOf: part)
        self = new
        return nil
    }
}

extension Bytes {
    /// Returns the answer to a central that reads from an offset.
    func answer(from offset: Int) -> Result<Bytes, ATTError> {
        guard offset >= 0, offset <= count else { return .failure(.invalidOffset) }
        return .success(offset == 0 ? self : Bytes(dropFirst(offset)))
    }
}

extension AttributePermissions {
    /// A Boolean value that is true if some central may read.
    var allowReading: Bool { readLevel != nil }

    /// A Boolean value that is true if some central may write.
    var allowWriting: Bool { writeLevel != nil }
}

extension CharacteristicProperties {
    /// A Boolean value that is true if values can be notified or indicated, to any central or over encrypted links.
    var allowNotifying: Bool {
        !isDisjoint(with: [.notify, .indicate, .notifyEncryptionRequired, .indicateEncryptionRequired])
    }

    /// Returns a Boolean value that is true if a write of this kind is supported.
    func allowWriting(_ kind: WriteRequestKind) -> Bool {
        let commands: Self = [.writeWithoutResponse, .authenticatedSignedWrites]
        return switch kind {
        case .request, .prepared: contains(.write)
        case .command: !isDisjoint(with: commands)
        case .unknown: contains(.write) || !isDisjoint(with: commands)
        }
    }
}
