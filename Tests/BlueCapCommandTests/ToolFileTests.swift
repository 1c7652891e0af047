// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import BlueCapCommand

@Suite("Files of the tool", .timeLimit(.minutes(60)))
struct ToolFileTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bluecap-\(UUID())")

    private func withFolder(_ body: () throws -> Void) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body()
    }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }

    @Test func `a folder is no file, so that a name may be that of a service beside it`() throws {
        try withFolder { #expect(!ToolFile.exists(folder.path)) }
    }

    @Test func `to ask whether a file can be written leaves no file, and a link as it is`() throws {
        try withFolder {
            try ToolFile.requireWritable(folder.path + "/new.json")
            #expect(try names == [])
            let link = folder.path + "/link.json"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path + "/far.json")
            try ToolFile.requireWritable(link)
            #expect(try names == ["link.json"])
        }
    }

    @Test func `a folder, and a file in a folder that is not there, cannot be written`() throws {
        try withFolder {
            for path in [folder.path, folder.path + "/none/lamp.json"] {
                let error = #expect(throws: CommandFailure.self) { try ToolFile.requireWritable(path) }
                #expect(error?.status == .failed)
            }
        }
    }

    @Test func `to ask whether a named pipe can be written is not the end of it for its reader`() throws {
        try withFolder {
            let path = folder.path + "/pipe"
            try #require(unsafe mkfifo(path, 0o600) == 0)
            let reader = unsafe open(path, O_RDONLY | O_NONBLOCK)
            defer { close(reader) }
            try ToolFile.requireWritable(path)
            var end = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
            #expect(unsafe poll(&end, 1, 0) == 0)
        }
    }

    @Test func `a folder is nothing that lines are read from`() throws {
        try withFolder {
            let (folder, file) = (unsafe open(folder.path, O_RDONLY), unsafe open("/dev/null", O_RDONLY))
            defer { for descriptor in [folder, file] { close(descriptor) } }
            let error = #expect(throws: CommandFailure.self) {
                try ToolFile.requireReadable(folder, called: "the input")
            }
            #expect(error?.status == .failed && error?.message == "the input: Is a directory")
            try ToolFile.requireReadable(file, called: "the input")
        }
    }

    @Test func `a file that takes lines is emptied by the first of them`() throws {
        try withFolder {
            let path = folder.path + "/values.csv"
            try Data("old".utf8).write(to: URL(fileURLWithPath: path))
            let output = try FileOutput(path)
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
            try output.line("1")
            try output.line("2")
            try output.begin()
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "1\n2\n")
        }
    }
}
