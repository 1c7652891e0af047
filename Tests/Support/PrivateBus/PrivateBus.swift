// SPDX-License-Identifier: MIT

#if os(Linux)
import BlueCapPlatform

/// A message bus of the test's own: a `dbus-daemon` with the system bus's limits and its socket in a temporary folder.
/// It ends with this object.
package final class PrivateBus: Sendable {
    package enum Failure: Error, CustomStringConvertible {
        case notInstalled
        case didNotStart(String)

        package var description: String {
            switch self {
            case .notInstalled: "dbus-daemon is not installed: apt-get install dbus-daemon (or dnf install dbus-daemon)"
            case .didNotStart(let why): "dbus-daemon did not start: \(why)"
            }
        }
    }

    /// The address of the bus, ready for `BusAddress`.
    package let address: String
    /// The daemon's process, for tests that stop or kill it.
    package let processID: Int32
    private let folder: String

    /// Whether a daemon can be started here.
    package static var isAvailable: Bool { executable() != nil }

    /// Starts a daemon and waits until it listens. `configuration` is put into the bus's configuration, for `<limit>`s.
    package init(configuration: String = "") throws {
        guard let program = Self.executable() else { throw Failure.notInstalled }
        let folder = try Self.temporaryFolder()
        self.folder = folder
        let file = folder + "/bus.conf"
        try Self.write(Self.configuration(in: folder, extra: configuration), to: file)
        var pipe: [Int32] = [-1, -1]
        guard unsafe Glibc.pipe(&pipe) == 0 else { throw Failure.didNotStart("no pipe") }
        let (reading, writing) = (pipe[0], pipe[1])
        for end in pipe { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(reading) }
        let result = Self.spawn([program, "--config-file=\(file)", "--nofork", "--print-address=1"], output: writing)
        close(writing)
        guard let process = result else { throw Failure.didNotStart("it could not be run") }
        processID = process
        // The daemon prints its address once it listens.
        guard let line = Self.line(from: reading), line.hasPrefix("unix:") else {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
            throw Failure.didNotStart("it printed no address")
        }
        address = line
    }

    deinit {
        kill(processID, SIGKILL)
        waitpid(processID, nil, 0)
        unsafe unlink(folder + "/bus")
        unsafe unlink(folder + "/bus.conf")
        unsafe rmdir(folder)
    }

    /// Replaces the configuration given to the initializer; it takes effect when the bus reloads its configuration.
    package func configure(_ configuration: String) throws {
        try Self.write(Self.configuration(in: folder, extra: configuration), to: folder + "/bus.conf")
    }

    /// Kills the daemon at once, as a crash would.
    package func killDaemon() {
        kill(processID, SIGKILL)
    }

    /// Stops the daemon's process from running, so that nothing is answered, until `resume`.
    package func suspend() {
        kill(processID, SIGSTOP)
    }

    package func resume() {
        kill(processID, SIGCONT)
    }
}

extension PrivateBus {
    private static func executable() -> String? {
        ["/usr/bin/dbus-daemon", "/usr/local/bin/dbus-daemon", "/bin/dbus-daemon"].first {
            unsafe access($0, X_OK) == 0
        }
    }

    private static func configuration(in folder: String, extra: String) -> String {
        // The type is left to its default, which brings the limits of the system bus; a session bus has none.
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <listen>unix:path=\(folder)/bus</listen>
          <auth>EXTERNAL</auth>
          <policy context="default">
            <allow user="*"/>
            <allow send_destination="*"/>
            <allow receive_sender="*"/>
            <allow own="*"/>
          </policy>
          \(extra)
        </busconfig>
        """
    }

    private static func temporaryFolder() throws -> String {
        // mkdtemp replaces the last six characters, which must be these.
        var template = Array("/tmp/bluecap-bus-\(String(repeating: "X", count: 6))".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw Failure.didNotStart("no temporary folder") }
        return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static func write(_ text: String, to file: String) throws {
        guard let stream = unsafe fopen(file, "w") else { throw Failure.didNotStart("cannot write \(file)") }
        unsafe fputs(text, stream)
        unsafe fclose(stream)
    }

    private static func spawn(_ arguments: [String], output: Int32) -> Int32? {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
        // A daemon that outlives a test which ends its process must not hold on to that process's pipes.
        for descriptor in Int32(3)..<1024 { unsafe posix_spawn_file_actions_addclose(&actions, descriptor) }
        var copies: [UnsafeMutablePointer<CChar>?] = unsafe arguments.map { unsafe strdup($0) }
        unsafe copies.append(nil)
        defer { unsafe copies.forEach { unsafe free($0) } }
        var process: pid_t = 0
        let status = unsafe posix_spawn(&process, arguments[0], &actions, nil, copies, environ)
        return status == 0 ? process : nil
    }

    private static func line(from descriptor: Int32) -> String? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while unsafe read(descriptor, &byte, 1) == 1 {
            if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
        return nil
    }
}
#endif
