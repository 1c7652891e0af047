// SPDX-License-Identifier: MIT

#if os(Linux)
import BlueCapCore
import BlueCapPlatform
import BlueCapRuntime
import Testing

@testable import BlueCapSharedRadio

/// A folder for a socket, removed in the end.
final class SocketPlace: Sendable {
    let folder: String
    var path: String { folder + "/radio.sock" }

    init() throws {
        var template = Array("/tmp/bluecap-shared-XXXXXX".utf8CString)
        try #require(unsafe mkdtemp(&template) != nil)
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        _ = unsafe unlink(path)
        _ = unsafe rmdir(folder)
    }
}

/// A program that speaks as it likes.
final class Stranger: Sendable {
    let arrivals: AsyncStream<FrameArrival>
    private let socket: UnixSocket
    private let port: FramePort

    init(at path: String) throws {
        let (stream, continuation) = AsyncStream<FrameArrival>.makeStream()
        arrivals = stream
        socket = try UnixSocket.joined(at: path)
        port = FramePort(socket) { arrivals, done in
            for arrival in arrivals { continuation.yield(arrival) }
            done()
        }
    }

    /// Begins to read.
    func listen() { port.start() }

    /// Sends bytes as they are.
    func send(raw bytes: [UInt8]) { _ = socket.send(bytes[...]) }

    func send(_ message: some JournalCodable) throws { port.send(try #require(Frame.encode(message))) }

    func leave() { port.close() }

    /// The first value that is found in the messages to a central; nil where the connection ends before.
    func next<Value>(_ find: (HostMessage<CentralEvent>) -> Value?) async -> Value? {
        for await arrival in arrivals {
            guard case .frame(let frame) = arrival else { return nil }
            if let value = (try? Frame.decode(HostMessage<CentralEvent>.self, from: frame)).flatMap(find) {
                return value
            }
        }
        return nil
    }

    /// Why the other program refuses it; nil where it just ends the connection.
    func refusal() async throws -> BackendFailure? {
        var refusal: BackendFailure?
        for await arrival in arrivals {
            switch arrival {
            case .ended: return refusal
            case .frame(let frame):
                if case .refused(let failure) = try? Frame.decode(HostMessage<CentralEvent>.self, from: frame) {
                    refusal = failure
                }
            }
        }
        return refusal
    }
}
#endif
