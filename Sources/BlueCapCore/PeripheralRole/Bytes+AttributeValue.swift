// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// The longest value of an attribute (Core Specification, Vol 3, Part F, 3.2.9).
let maximumAttributeLength = 512

extension Optional<Bytes> {
    /// Writes a part at an offset: what was before it stays, what was behind it goes, as the end of a long write is the
    /// end of the value.
    ///
    /// - Returns: The error for the central, with which nothing changed.
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
    /// What a central that reads from an offset is answered.
    func answer(from offset: Int) -> Result<Bytes, ATTError> {
        guard offset >= 0, offset <= count else { return .failure(.invalidOffset) }
        return .success(offset == 0 ? self : Bytes(dropFirst(offset)))
    }
}

extension AttributePermissions {
    /// Whether there is a central that may read.
    var allowReading: Bool { readLevel != nil }

    /// Whether there is a central that may write.
    var allowWriting: Bool { writeLevel != nil }
}

extension CharacteristicProperties {
    /// Whether values can be notified or indicated, to any central or over encrypted links.
    var allowNotifying: Bool {
        !isDisjoint(with: [.notify, .indicate, .notifyEncryptionRequired, .indicateEncryptionRequired])
    }

    /// Whether a write of this kind is offered.
    func allowWriting(_ kind: WriteRequestKind) -> Bool {
        let commands: Self = [.writeWithoutResponse, .authenticatedSignedWrites]
        return switch kind {
        case .request, .prepared: contains(.write)
        case .command: !isDisjoint(with: commands)
        case .unknown: contains(.write) || !isDisjoint(with: commands)
        }
    }
}
