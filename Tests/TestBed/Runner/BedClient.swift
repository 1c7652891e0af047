// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapPlatform
import BlueCapRuntime
import Foundation
import Logging

/// A conversation with the test bed's far devices: JSON lines over a Unix socket, several requests at once.
final class BedClient: Sendable {
    private struct State {
        var lastID = 0
        var waiting: [Int: CheckedContinuation<Data, any Error>] = [:]
        var abandoned: Set<Int> = []
        var end: BedError?
    }

    private let socket: Int32
    private let logger = Logger(label: "bed")
    private let state = Locked(State())

    /// Connects to the socket at `path`.
    init(path: String) throws {
        socket = systemStreamSocket()
        guard socket >= 0 else { throw BedError(description: "no socket: errno \(errno)") }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw BedError(description: "the socket's path is too long: \(path)")
        }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { place in
            for (index, byte) in bytes.enumerated() { unsafe place[index] = byte }
        }
        let result = unsafe withUnsafePointer(to: address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else {
            throw BedError(description: "cannot connect to \(path): errno \(errno). Is this the test bed?")
        }
        let thread = Thread { [self] in read() }
        thread.name = "test bed"
        thread.start()
    }

    /// Sends a command and gives its answer.
    func request<Answer: Decodable>(_ command: String, _ parameters: [String: JSON], as type: Answer.Type) async throws
        -> Answer
    {
        try JSONDecoder().decode(type, from: try await request(command, parameters))
    }

    /// Sends a command, and returns when the test bed has answered that it is done.
    @discardableResult
    func request(_ command: String, _ parameters: [String: JSON] = [:]) async throws -> Data {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        var line = try JSONEncoder().encode(parameters.merging(["id": .int(id), "cmd": .string(command)]) { $1 })
        logger.debug("asks", metadata: ["line": "\(String(decoding: line, as: UTF8.self).prefix(200))"])
        line.append(UInt8(ascii: "\n"))
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let failure: (any Error)? = state.withLock { state in
                    if let end = state.end { return end }
                    if state.abandoned.remove(id) != nil { return CancellationError() }
                    state.waiting[id] = continuation
                    return nil
                }
                if let failure { return continuation.resume(throwing: failure) }
                write(line)
            }
        } onCancel: {
            let continuation = state.withLock { state in
                if let waiting = state.waiting.removeValue(forKey: id) { return Optional(waiting) }
                state.abandoned.insert(id)
                return nil
            }
            continuation?.resume(throwing: CancellationError())
        }
    }

    private func write(_ line: Data) {
        // One write of a few kilobytes at a time, under the lock, so that lines of different tasks do not mix.
        state.withLock { _ in
            var rest = line[...]
            while !rest.isEmpty {
                let count = unsafe rest.withUnsafeBytes { unsafe systemWrite(socket, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                if count <= 0 { return }
                rest = rest.dropFirst(count)
            }
        }
    }

    private func read() {
        var buffer: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe systemRead(socket, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            var start = 0
            for index in 0..<count where chunk[index] == UInt8(ascii: "\n") {
                buffer += chunk[start..<index]
                take(Data(buffer))
                buffer.removeAll(keepingCapacity: true)
                start = index + 1
            }
            buffer += chunk[start..<count]
        }
        let end = BedError(description: "the test bed closed the conversation")
        let waiting = state.withLock { state in
            state.end = end
            defer { state.waiting = [:] }
            return state.waiting
        }
        for continuation in waiting.values { continuation.resume(throwing: end) }
    }

    private func take(_ line: Data) {
        guard let header = try? JSONDecoder().decode(AnswerHeader.self, from: line), let id = header.id else { return }
        logger.debug("answers", metadata: ["line": "\(String(decoding: line, as: UTF8.self).prefix(200))"])
        let continuation = state.withLock { $0.waiting.removeValue(forKey: id) }
        if header.ok {
            continuation?.resume(returning: line)
        } else {
            continuation?.resume(
                throwing:
                    BedError(description: "test bed: \(header.error ?? "unknown error")", code: header.code))
        }
    }
}
#endif
