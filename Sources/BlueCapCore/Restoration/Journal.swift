// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe

/// A manager's journal: its contents are compared with the state wanted, and written where that changed.
///
/// Touched on the manager only.
final class Journal {
    private let file: any RestorationJournal
    private let role: JournalFormat.Role
    private let identifier: String
    private let logger: RadioLog
    private var written: Bytes?
    private let hasFailed = Locked(false)
    private var isTooLong = false

    private init(_ file: any RestorationJournal, _ role: JournalFormat.Role, identifier: String, logger: RadioLog) {
        self.file = file
        self.role = role
        self.identifier = identifier
        self.logger = logger
    }

    /// The result of opening a journal.
    struct Opened<Contents: Sendable> {
        /// Nil where there is no identifier, or nothing can be written under it.
        var journal: Journal?
        /// The state to restore.
        var contents: Contents?
        var failure: RestorationFailure?
    }

    /// Opens the journal of an identifier and reads it. A journal that cannot be read is moved out of the way.
    static func open<Contents: JournalCodable & Sendable>(
        _ type: Contents.Type, _ role: JournalFormat.Role, _ identifier: String?, in store: any RestorationStore,
        logger: RadioLog
    ) -> Opened<Contents> {
        guard let identifier else { return Opened() }
        let file: any RestorationJournal
        do throws(RestorationFailure) {
            guard 1...100 ~= identifier.utf8.count else { throw RestorationFailure(.unusable, location: identifier) }
            file = try store.open("\(identifier).\(role)")
        } catch {
            logger.warning("what was to be restored is not", ["failure": "\(error)"])
            return Opened(failure: error)
        }
        let journal = Journal(file, role, identifier: identifier, logger: logger)
        var opened = Opened<Contents>(journal: journal)
        do throws(RestorationFailure) {
            // Asked first: contents that are on the disk by then are read from there.
            let isWriting = file.isWriting
            guard let bytes = try file.read() else { return opened }
            do throws(JournalFailure) {
                opened.contents = try JournalFormat.decode(type, role, identifier: identifier, from: bytes)
                // Only the manager that handed them over learns when they are not written after all.
                journal.written = isWriting ? nil : bytes
            } catch {
                throw RestorationFailure(error.kind, location: file.location)
            }
        } catch {
            // A journal that cannot be read at the moment may be whole: it stays as it is.
            if case .inaccessible = error.kind {
                logger.warning("what was to be restored is not", ["failure": "\(error)"])
                return Opened(failure: error)
            }
            let failure = RestorationFailure(error.kind, location: error.location, keptAt: file.setAside())
            logger.warning("what was to be restored is not", ["failure": "\(failure)"])
            opened.failure = failure
        }
        return opened
    }

    /// Writes the state wanted, unless it is the one written last.
    func write(_ wanted: some JournalCodable) {
        guard let bytes = JournalFormat.encode(wanted, role, identifier: identifier) else {
            if !isTooLong { logger.warning("there is too much to be restored: the journal stays as it was") }
            return isTooLong = true
        }
        isTooLong = false
        let isUnwritten = hasFailed.withLock { hasFailed in
            defer { hasFailed = false }
            return hasFailed
        }
        if bytes == written, !isUnwritten { return }
        written = bytes
        file.write(bytes) { [logger, hasFailed] failure in
            hasFailed.withLock { $0 = true }
            logger.warning("the journal was not written", ["failure": "\(failure)"])
        }
    }

    func close() { file.close() }

    deinit { file.close() }
}
