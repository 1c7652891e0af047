// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe

/// A journal in a file, for the manager that has it open.
final class FileJournal: RestorationJournal {
    let location: String
    private let writer: JournalWriter
    private let isClosed = Locked(false)

    init(folder: String, name: String) throws(RestorationFailure) {
        let location = "\(folder)/\(name).journal"
        self.location = location
        do throws(JournalFolder.SystemError) {
            writer = try JournalWriter.open(folder, name)
        } catch {
            throw error.failure(at: location)
        }
    }

    var isWriting: Bool { writer.isWriting }

    func read() throws(RestorationFailure) -> Bytes? {
        do throws(JournalFolder.SystemError) { return try writer.read() } catch { throw error.failure(at: location) }
    }

    func write(_ contents: Bytes, failed: @escaping @Sendable (RestorationFailure) -> Void) {
        let location = location
        if !isClosed.withLock({ $0 }) { writer.write(contents) { failed($0.failure(at: location)) } }
    }

    func setAside() -> String? { writer.setAside() }

    func close() {
        let wasClosed = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return isClosed
        }
        if !wasClosed { writer.close() }
    }

    deinit { close() }
}

extension JournalFolder.SystemError {
    func failure(at location: String) -> RestorationFailure {
        switch self {
        case .inUse: RestorationFailure(.inUse, location: location)
        case .notOurs: RestorationFailure(.foreign, location: location)
        case .tooLong: RestorationFailure(.corrupt, location: location)
        case .refused(let number): RestorationFailure(.inaccessible(number), location: location)
        }
    }
}
