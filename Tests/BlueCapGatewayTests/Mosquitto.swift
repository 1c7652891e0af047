// SPDX-License-Identifier: MIT

#if Gateway && os(Linux)
import BlueCapGateway
import BlueCapPlatform
import Foundation

/// A broker of the test's own, on loopback; it ends with this object.
final class Mosquitto {
    let address: BrokerAddress
    private let folder: URL
    private var process: Process?

    /// Starts a broker that keeps its messages over a restart.
    ///
    /// - Parameter options: More lines of its configuration.
    init(_ options: String = "allow_anonymous true") throws {
        let port = try Self.freePort()
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("bluecap-mosquitto-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
        let text = """
            listener \(port) 127.0.0.1
            persistence true
            persistence_location \(folder.path)/
            autosave_on_changes true
            autosave_interval 1
            \(options)
            """
        try text.write(to: folder.appendingPathComponent("mosquitto.conf"), atomically: true, encoding: .utf8)
        address = try BrokerAddress(text: "mqtt://127.0.0.1:\(port)")
        try start()
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(at: folder)
    }

    func start() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/sbin/mosquitto")
        process.arguments = ["-c", folder.appendingPathComponent("mosquitto.conf").path]
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        self.process = process
    }

    /// Kills it at once, as a crash would.
    func stop() {
        guard let process else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        self.process = nil
    }

    /// Lets it stand still, with its connections, until ``stop()`` or ``goOn()``.
    func pause() { if let process { kill(process.processIdentifier, SIGSTOP) } }

    func goOn() { if let process { kill(process.processIdentifier, SIGCONT) } }

    /// A port that is free now.
    private static func freePort() throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(descriptor, address, length) == 0 && getsockname(descriptor, address, &length) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRINUSE) }
        return UInt16(bigEndian: address.sin_port)
    }
}
#endif
