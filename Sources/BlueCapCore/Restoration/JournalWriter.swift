// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe
import Dispatch

/// Writes the file of a journal on a serial queue of its own, so that nothing waits for the disk: the contents go to a
/// new file, which is synced and takes the old one's name, and then the folder is synced.
///
/// A journal that is closed may still be written. Whoever opens it meanwhile in the same process takes over its writer
/// with the lock and the contents not on the disk yet, and waits for nothing.
final class JournalWriter: Sendable {
    private typealias Failed = @Sendable (JournalFolder.SystemError) -> Void

    private struct State {
        var waiting: (contents: Bytes, failed: Failed)?
        /// The contents that are being written.
        var current: Bytes?
        var isOpen = true
        /// With the lock; given up when it is closed and nothing is to be written any more.
        var folder: JournalFolder?

        /// The contents handed over last, if they are not known to be on the disk.
        var newest: Bytes? { waiting?.contents ?? current }

        var isDone: Bool { !isOpen && newest == nil }
    }

    /// Those that are open or still at work, by the file's path.
    private static let writers = Locked<[String: JournalWriter]>([:])

    private let key: String
    private let name: String
    private let queue: DispatchQueue
    private let state: Locked<State>

    private init(_ folder: JournalFolder, _ name: String, key: String) {
        state = Locked(State(folder: folder))
        self.key = key
        self.name = name
        queue = DispatchQueue(label: "bluecap.journal", qos: .utility)
    }

    /// The writer of a file, whose lock it takes.
    ///
    /// - Throws: `.inUse` where another manager has it open, or another process.
    static func open(_ folder: String, _ name: String) throws(JournalFolder.SystemError) -> JournalWriter {
        let key = folder + "/" + name
        let known = try writers.withLock { writers throws(JournalFolder.SystemError) in
            guard let writer = writers[key] else { return nil as JournalWriter? }
            guard writer.reopen() else { throw .inUse }
            return writer
        }
        if let known { return known }
        // Of two that come at the same time one gets the lock.
        let made = JournalWriter(try JournalFolder(folder, lock: name + ".lock"), name, key: key)
        writers.withLock { $0[key] = made }
        return made
    }

    private func reopen() -> Bool {
        state.withLock { state in
            if state.isOpen { return false }
            state.isOpen = true
            return true
        }
    }

    /// Whether something was handed over that is not known to be on the disk.
    var isWriting: Bool { state.withLock { $0.newest != nil } }

    /// The contents handed over last, or those of the file.
    func read() throws(JournalFolder.SystemError) -> Bytes? {
        let (newest, folder) = state.withLock { ($0.newest, $0.folder) }
        if let newest { return newest }
        return try folder?.read(name + ".journal", limit: JournalFormat.maximumByteCount).map { Bytes($0) }
    }

    func write(_ contents: Bytes, failed: @escaping @Sendable (JournalFolder.SystemError) -> Void) {
        let isIdle = state.withLock { state in
            defer { state.waiting = (contents, failed) }
            return state.newest == nil
        }
        if isIdle { queue.async { self.writeWaiting() } }
    }

    func setAside() -> String? {
        guard let folder = state.withLock({ $0.folder }) else { return nil }
        let isMoved = folder.rename(name + ".journal", to: name + ".kept")
        return isMoved ? "\(folder.path)/\(name).kept" : nil
    }

    /// Its manager has ended; contents handed over are written all the same.
    func close() { end { $0.isOpen = false } }

    /// Changes the state, and gives the lock up when all is done: first the lock, as whoever finds no writer takes it.
    private func end<Result: Sendable>(_ change: (inout State) -> Result) -> Result {
        Self.writers.withLock { writers in
            state.withLock { state in
                let result = change(&state)
                if state.isDone, state.folder != nil {
                    state.folder = nil
                    writers[key] = nil
                }
                return result
            }
        }
    }

    private func writeWaiting() {
        while let (folder, contents, failed) = next() {
            do throws(JournalFolder.SystemError) {
                try contents.withBytes { bytes throws(JournalFolder.SystemError) in
                    try folder.replace(name + ".journal", by: name + ".new", with: bytes)
                }
            } catch {
                failed(error)
            }
        }
    }

    private func next() -> (JournalFolder, Bytes, Failed)? {
        end { state in
            let next = state.waiting
            (state.waiting, state.current) = (nil, next?.contents)
            guard let folder = state.folder, let next else { return nil }
            return (folder, next.contents, next.failed)
        }
    }
}
