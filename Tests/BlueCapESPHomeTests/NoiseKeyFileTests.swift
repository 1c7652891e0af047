// SPDX-License-Identifier: MIT

#if os(Linux)
import BlueCapPlatform
import Testing

@testable import BlueCapESPHome

@Suite("The file of a key", .timeLimit(.minutes(60)))
struct NoiseKeyFileTests {
    private func path() -> String {
        let number = UInt64.random(in: 0 ... .max)
        return (unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp") + "/bluecap-key-\(number)"
    }

    private func write(_ text: String, _ path: String) {
        let descriptor = systemOpen(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        let bytes = Array(text.utf8)
        _ = unsafe systemWrite(descriptor, bytes, bytes.count)
        _ = systemClose(descriptor)
    }

    @Test func `is made once, for its user alone`() throws {
        let path = path()
        defer { _ = unsafe unlink(path) }
        let first = try NoiseKeyFile(path).open()
        #expect(first.isNew)
        let second = try NoiseKeyFile(path).open()
        #expect(!second.isNew && second.key.bytes == first.key.bytes)
        var status = stat()
        #expect(unsafe stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test func `has the key in its first line`() throws {
        let path = path()
        defer { _ = unsafe unlink(path) }
        write("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8= \r\nmore\n", path)
        #expect(try NoiseKeyFile(path).open().key.bytes == Array(0..<32))
    }

    @Test(arguments: ["", "\n", "secret", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="])
    func `is refused without a key in it, and its text is not shown`(text: String) {
        let path = path()
        defer { _ = unsafe unlink(path) }
        write(text, path)
        let fault = #expect(throws: NoiseKeyFile.Fault.self) { _ = try NoiseKeyFile(path).open() }
        #expect(fault?.description.contains("its first line is no key") == true)
        #expect(text.isEmpty || fault?.description.contains(text) == false || text == "\n")
    }

    @Test func `is refused where it cannot be`() {
        let fault = #expect(throws: NoiseKeyFile.Fault.self) { _ = try NoiseKeyFile("/nowhere/key").open() }
        #expect(fault?.description == "/nowhere/key: No such file or directory")
    }

    @Test func `is found among credentials by its name`() {
        #expect(NoiseKeyFile(credentials: "/nowhere") == nil)
    }
}
#endif
