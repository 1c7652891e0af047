// SPDX-License-Identifier: MIT

/// Why what a manager was to restore could not be restored, and where that is.
public struct RestorationFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is the matter with the journal.
    public enum Kind: Sendable, Hashable {
        /// Another manager, of this program or of another one, has the journal open.
        case inUse
        /// It is a journal that was damaged.
        case corrupt
        /// It is not a journal, or not one of this role and identifier, or it belongs to another user.
        case foreign
        /// It was written by a later version of this package, in a format of that number.
        case newer(version: Int)
        /// The system refused access, with an error number (`errno`).
        case inaccessible(Int32)
        /// The identifier is empty or longer than 100 bytes, or there is no folder to keep a journal in.
        case unusable
    }

    /// The reason why the journal cannot be used.
    public let kind: Kind
    /// Which journal it is about: the path of the file.
    public let location: String
    /// Where the journal that could not be used is kept now; nil where it is still in its place.
    public let keptAt: String?

    /// Creates a failure, as a ``RestorationStore`` throws it.
    ///
    /// - Parameters:
    ///   - kind: The reason why the journal cannot be used.
    ///   - location: A name by which a person finds the journal, such as the path of its file.
    ///   - keptAt: Where the unusable journal was moved; nil where it was not moved.
    public init(_ kind: Kind, location: String, keptAt: String? = nil) {
        self.kind = kind
        self.location = location
        self.keptAt = keptAt
    }

    /// What went wrong and what to do about it, in a sentence.
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
