// SPDX-License-Identifier: MIT

#if canImport(Glibc)
import BlueCapPlatform
import BlueCapSerDe
import Logging
import Testing

@testable import BlueCapCore

@Suite("Journals in files", .timeLimit(.minutes(60)))
final class FileStoreTests {
    private let folder: String
    /// The names of the files that are removed with the folder.
    private var names = ["app.central"]
    private var store: FileRestorationStore { FileRestorationStore(folder: folder + "/state") }
    private var path: String { folder + "/state/app.central.journal" }

    init() throws {
        let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        folder = "\(parent)/bluecap-journal-\(UInt64.random(in: .min ... .max))"
        try #require(unsafe mkdir(folder, 0o700) == 0)
    }

    deinit {
        for name in names {
            for kind in ["journal", "kept", "lock", "new"] { unsafe unlink("\(folder)/state/\(name).\(kind)") }
        }
        unsafe rmdir(folder + "/state")
        unsafe rmdir(folder)
    }

    /// Writes and waits until it is on the disk.
    private func write(_ contents: Bytes, to name: String = "app.central") throws {
        var journal: (any RestorationJournal)? = try store.open(name)
        journal?.write(contents) { Issue.record("\($0)") }
        journal?.close()
        journal = nil
        try waitForDisk(name)
    }

    /// Returns when a journal that was closed is on the disk: its lock is free then.
    private func waitForDisk(_ name: String = "app.central") throws {
        let lock = unsafe open("\(folder)/state/\(FileRestorationStore.fileName(name)).lock", O_RDWR | O_CLOEXEC)
        try #require(lock >= 0)
        #expect(flock(lock, LOCK_EX) == 0)
        flock(lock, LOCK_UN)
        close(lock)
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

    @Test func `a folder without a leading slash is made below the present one`() throws {
        let name = "bluecap-relative-\(UInt64.random(in: .min ... .max))"
        defer {
            unsafe unlink("\(name)/app.central.lock")
            unsafe rmdir(name)
        }
        try FileRestorationStore(folder: name).open("app.central").close()
        #expect(unsafe access(name, F_OK) == 0)
    }

    @Test func `there is one writer at a time`() throws {
        let first = try store.open("app.central")
        #expect(throws: RestorationFailure(.inUse, location: path)) { try store.open("app.central") }
        first.close()
        first.close()
        let second = try store.open("app.central")
        first.close()
        #expect(throws: RestorationFailure(.inUse, location: path)) { try store.open("app.central") }
        second.close()
    }

    @Test func `one whose lock another process has is in use`() throws {
        try write([1])
        let lock = unsafe open(folder + "/state/app.central.lock", O_RDWR | O_CLOEXEC)
        try #require(flock(lock, LOCK_EX | LOCK_NB) == 0)
        #expect(throws: RestorationFailure(.inUse, location: path)) { try store.open("app.central") }
        close(lock)
        try store.open("app.central").close()
    }

    /// Between `fork` and `exec` a child has the descriptors of its parent, close-on-exec or not.
    @Test func `one that was closed is open again while a child still has the descriptor of its lock`() throws {
        let journal = try store.open("app.central")
        let lock = try #require(file { unsafe stat(folder + "/state/app.central.lock", &$0) })
        let descriptor = try #require((0..<4096).first { number in file { unsafe fstat(number, &$0) } == lock })
        let ofChild = dup(descriptor)
        defer { close(ofChild) }
        journal.close()
        #expect(throws: Never.self) { try store.open("app.central").close() }
    }

    /// The device and the number of a file; nil if it cannot be asked.
    private func file(_ ask: (inout stat) -> Int32) -> [UInt64]? {
        var status = stat()
        return ask(&status) == 0 ? [UInt64(status.st_dev), UInt64(status.st_ino)] : nil
    }

    @Test func `one that was closed is open again at once, with what is still being written`() throws {
        for number in 0..<200 {
            let journal = try store.open("app.central")
            if number > 0 { #expect(try journal.read()?.first == UInt8(number - 1)) }
            journal.write(Bytes(repeating: UInt8(number), count: 1 << 16)) { Issue.record("\($0)") }
            journal.close()
        }
        try waitForDisk()
        #expect(try store.open("app.central").read()?.first == 199)
    }

    @Test func `what a successor took over from memory is written by it, though the first write of it failed`() throws {
        let contents = try JournalTests.journal()
        let obstacle = path.replacing(".journal", with: ".new")
        let journal = try store.open("app.central")
        let logger = RadioLog(Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, .redacted)
        try #require(unsafe mkdir(obstacle, 0o700) == 0)
        journal.write(contents) { [store] _ in
            journal.close()
            let opened = Journal.open(CentralRestoration.self, .central, "app", in: store, logger: logger)
            #expect(opened.contents == JournalTests.central)
            unsafe rmdir(obstacle)
            opened.journal?.write(JournalTests.central)
            opened.journal?.close()
        }
        try waitForDisk()
        #expect(try store.open("app.central").read() == contents)
    }

    @Test func `many values that are written at once end with the newest`() throws {
        let journal = try store.open("app.central")
        for number in 0..<2_000 { journal.write(Bytes(Array("\(number)".utf8))) { Issue.record("\($0)") } }
        journal.close()
        try waitForDisk()
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

    @Test func `an identifier of any characters has a file of its own`() throws {
        for letter in ["é", "ü"] {
            let name = String(repeating: letter, count: 50) + ".peripheral"
            names.append(FileRestorationStore.fileName(name))
            #expect(try store.open(name).read() == nil)
            try write([1], to: name)
            #expect(try store.open(name).read() == [1])
        }
    }

    @Test func `names that are cut differ`() {
        let names = ["a", "b"].map { FileRestorationStore.fileName(String(repeating: " ", count: 100) + $0) }
        #expect(names[0] != names[1])
        #expect(names.allSatisfy { $0.utf8.count <= 200 })
    }
}
#endif
