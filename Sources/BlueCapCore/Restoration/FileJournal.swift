// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe
import Dispatch

/// A journal in a file. The file is written by a serial queue of its own, so that nothing waits for the disk: the
/// contents go to a new file, which is synced and takes the old one's name, and then the folder is synced.
final class FileJournal: RestorationJournal {
    private struct State {
        var waiting: (contents: Bytes, failed: @Sendable (RestorationFailure) -> Void)?
        var isWriting = false
        var isClosed = false
        /// Open until the last write is done.
        var folder: JournalFolder?
    }

    let location: String
    private let name: String
    private let queue: DispatchQueue
    private let state: Locked<State>

    init(folder: String, name: String) throws(RestorationFailure) {
        let location = "\(folder)/\(name).journal"
        self.location = location
        self.name = name
        queue = DispatchQueue(label: "bluecap.journal", qos: .utility)
        do throws(JournalFolder.SystemError) {
            state = Locked(State(folder: try JournalFolder(folder, lock: name + ".lock")))
        } catch {
            throw error.failure(at: location)
        }
    }

    func read() throws(RestorationFailure) -> Bytes? {
        guard let folder = state.withLock({ $0.folder }) else { return nil }
        do throws(JournalFolder.SystemError) {
            return try folder.read(name + ".journal", limit: JournalFormat.maximumByteCount).map { Bytes($0) }
        } catch {
            throw error.failure(at: location)
        }
    }

    func write(_ contents: Bytes, failed: @escaping @Sendable (RestorationFailure) -> Void) {
        let isIdle = state.withLock { state in
            if state.isClosed { return false }
            state.waiting = (contents, failed)
            defer { state.isWriting = true }
            return !state.isWriting
        }
        // Keeps the journal until what was handed over is written.
        if isIdle { queue.async { self.writeWaiting() } }
    }

    func setAside() -> String? {
        guard let folder = state.withLock({ $0.folder }) else { return nil }
        let isMoved = folder.rename(name + ".journal", to: name + ".kept")
        return isMoved ? "\(folder.path)/\(name).kept" : nil
    }

    func close() {
        state.withLock { state in
            state.isClosed = true
            if !state.isWriting { state.folder = nil }
        }
    }

    deinit { close() }

    private func writeWaiting() {
        while let (folder, contents, failed) = next() {
            do throws(JournalFolder.SystemError) {
                try contents.withBytes { bytes throws(JournalFolder.SystemError) in
                    try folder.replace(name + ".journal", by: name + ".new", with: bytes)
                }
            } catch {
                failed(error.failure(at: location))
            }
        }
    }

    private func next() -> (JournalFolder, Bytes, @Sendable (RestorationFailure) -> Void)? {
        state.withLock { state in
            if let folder = state.folder, let waiting = state.waiting {
                state.waiting = nil
                return (folder, waiting.contents, waiting.failed)
            }
            state.isWriting = false
            if state.isClosed { state.folder = nil }
            return nil
        }
    }
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
