// SPDX-License-Identifier: MIT

/// The reason why a manager could not restore its kept state, and the location of the journal.
public struct RestorationFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of reason why a journal cannot be used.
    public enum Kind: Sendable, Hashable {
        /// Another manager, of this program or of another one, has the journal open.
        case inUse
        /// The journal is damaged.
        case corrupt
        /// The file is not a journal of this role and identifier, or it belongs to another user.
        case foreign
        /// The journal was written by a later version of this package, in the format with this version number.
        case newer(version: Int)
        /// The system refused access, with an error number (`errno`).
        case inaccessible(Int32)
        /// The identifier is empty or longer than 100 bytes, or there is no folder to keep a journal in.
        case unusable
    }

    /// The reason why the journal cannot be used.
    public let kind: Kind
    /// The location of the journal: the path of its file.
    public let location: String
    /// The location where the unusable journal is kept now; nil if it is still in its place.
    public let keptAt: String?

    /// Creates a failure, as a ``RestorationStore`` throws it.
    ///
    /// - Parameters:
    ///   - kind: The reason why the journal cannot be used.
    ///   - location: A name by which a user can find the journal, such as the path of its file.
    ///   - keptAt: The location to which the unusable journal was moved; nil if it was not moved.
    public init(_ kind: Kind, location: String, keptAt: String? = nil) {
        self.kind = kind
        self.location = location
        self.keptAt = keptAt
    }

    /// The description of the failure and the advice, as text.
    public var description: String {
        let base =
            switch kind {
            case .inUse: "\(location) is in use: give each manager an identifier of its own"
            case .corrupt: "\(location) is damaged: the manager starts without it"
            case .foreign: "\(location) is not a journal of this manager: the manager starts without it"
            case .newer(let version):
                "\(location) has the format \(version), of a later version of this package: the manager starts without it"
            case .inaccessible(let error): "\(location) cannot be used (error \(error)): check who owns it"
            case .unusable:
                "there is no place for a journal \(location): choose another identifier or set STATE_DIRECTORY"
            }
        return keptAt.map { "\(base). It is kept at \($0)" } ?? base
    }
}
