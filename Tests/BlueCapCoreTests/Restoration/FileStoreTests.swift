// SPDX-License-Identifier: MIT

#if canImport(Glibc)
import BlueCapSerDe
import Glibc
import Testing

@testable import BlueCapCore

@Suite("Journals in files", .timeLimit(.minutes(2)))
final class FileStoreTests {
    private let folder: String
    private var store: FileRestorationStore { FileRestorationStore(folder: folder + "/state") }
    private var path: String { folder + "/state/app.central.journal" }

    init() throws {
        let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        // mkdtemp puts what makes the name unique in the place of the six letters.
        var template = Array("\(parent)/bluecap-journal-XXXXXX".utf8CString)
        let made = unsafe template.withUnsafeMutableBufferPointer { buffer in
            unsafe buffer.baseAddress.flatMap { unsafe mkdtemp($0) }.map { unsafe String(cString: $0) }
        }
        folder = try #require(made)
    }

    deinit {
        for name in ["journal", "kept", "lock", "new"] { unsafe unlink("\(folder)/state/app.central.\(name)") }
        unsafe rmdir(folder + "/state")
        unsafe rmdir(folder)
    }

    /// Writes and waits until it is on the disk.
    private func write(_ contents: Bytes) throws {
        var journal: (any RestorationJournal)? = try store.open("app.central")
        journal?.write(contents) { Issue.record("\($0)") }
        journal?.close()
        journal = nil
        // Opens only when the last writer is done.
        try store.open("app.central").close()
    }

    private func mode() throws -> mode_t {
        var status = stat()
        try #require(unsafe stat(path, &status) == 0)
        return status.st_mode
    }

    @Test func `what is written is there for the next writer, readable by the user only`() throws {
        try write([1, 2, 3])
        try write([4])
        #expect(try mode() & 0o7777 == 0o600)
        let journal = try store.open("app.central")
        #expect(try journal.read() == [4])
        #expect(journal.location == path)
    }

    @Test func `there is one writer at a time`() throws {
        let first = try store.open("app.central")
        #expect(throws: RestorationFailure(.inUse, location: path)) { try store.open("app.central") }
        first.close()
        try store.open("app.central").close()
    }

    @Test func `many values that are written at once end with the newest`() throws {
        let journal = try store.open("app.central")
        for number in 0..<2_000 { journal.write(Bytes(Array("\(number)".utf8))) { Issue.record("\($0)") } }
        journal.close()
        #expect(try store.open("app.central").read() == Bytes(Array("1999".utf8)))
    }

    @Test func `what cannot be used is moved aside`() throws {
        try write([1])
        let journal = try store.open("app.central")
        #expect(journal.setAside() == folder + "/state/app.central.kept")
        #expect(try journal.read() == nil)
    }

    @Test func `a link, a pipe, a folder and a file that is too long are not read`() throws {
        let journal = try store.open("app.central")
        unsafe symlink("/etc/hostname", path)
        #expect(throws: RestorationFailure(.foreign, location: path)) { try journal.read() }
        unsafe unlink(path)
        unsafe mkfifo(path, 0o600)
        #expect(throws: RestorationFailure(.foreign, location: path)) { try journal.read() }
        unsafe unlink(path)
        unsafe mkdir(path, 0o700)
        #expect(throws: RestorationFailure(.foreign, location: path)) { try journal.read() }
        unsafe rmdir(path)
        let file = unsafe creat(path, 0o600)
        ftruncate(file, off_t(JournalFormat.maximumByteCount + 1))
        close(file)
        #expect(throws: RestorationFailure(.corrupt, location: path)) { try journal.read() }
    }

    @Test func `a folder that cannot be made is told`() {
        #expect(throws: RestorationFailure.self) { try FileRestorationStore(folder: "/dev/null/x").open("app.central") }
    }

    @Test func `names become names of files`() {
        #expect(FileRestorationStore.fileName("us.gnos-1_A.central") == "us.gnos-1_A.central")
        #expect(FileRestorationStore.fileName("../a/b ü") == "%2E./a/b".replacing("/", with: "%2F") + "%20%C3%BC")
    }
}
#endif
