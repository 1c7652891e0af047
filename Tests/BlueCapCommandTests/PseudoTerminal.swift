// SPDX-License-Identifier: MIT

#if os(Linux)
import BlueCapPlatform
import BlueCapRuntime
import BlueCapTerminal
import Foundation

/// The built tool in a pseudo-terminal of its own, with its screen.
final class PseudoTerminal: Sendable {
    /// The reason why a text was not seen.
    struct NotShown: Error, CustomStringConvertible {
        var description: String
    }

    private struct State: Sendable {
        var screen: EmulatedTerminal
        var isAtEnd = false
        var wasRaw: Bool?
    }

    private let leader: Int32
    private let follower: Int32
    private let process: Process
    private let state: Locked<State>
    private let changed = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    /// Starts the tool.
    ///
    /// - Parameters:
    ///   - controls: Whether the terminal controls the tool, in a session of its own, so that Ctrl-C interrupts it and
    ///     it reads lines. `setsid` of util-linux does that; signals sent go to it then.
    ///   - isShell: Whether it is an interactive bash that runs there, whose `$1` is the tool.
    init(
        _ arguments: [String], columns: Int = 80, rows: Int = 24, environment: [String: String] = [:],
        controls: Bool = false, isShell: Bool = false
    ) throws {
        var (leader, follower) = (Int32(-1), Int32(-1))
        guard unsafe openpty(&leader, &follower, nil, nil, nil) == 0 else {
            throw NotShown(description: "no pseudo-terminal: errno \(errno)")
        }
        // Closes the descriptors in the program itself, and in programs that other tests start meanwhile.
        for descriptor in [leader, follower] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        (self.leader, self.follower) = (leader, follower)
        state = Locked(State(screen: EmulatedTerminal(TerminalSize(columns: columns, rows: rows))))
        process = Process()
        let tool = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent("bluecap")
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        // Where the tests run under nohup, the tool is not to inherit that.
        let session = ["setsid", "--ctty", "--wait"]
        // It has no status for a program that a signal ended, as a shell has.
        let waiting = ["sh", "-c", "ulimit -c 0; trap : INT QUIT; \"$@\"; exit $?", "sh"]
        let shell = ["bash", "--norc", "--noprofile", "--noediting", "-is"]
        let before = isShell ? session + shell : controls ? session + waiting : []
        process.arguments = ["--default-signal=HUP"] + before + [tool.path] + arguments
        let usual = [
            "BLUECAP_CONFIG": "/nonexistent", "TERM": "xterm-256color", "NO_COLOR": "",
            "XDG_STATE_HOME": "/dev/null",
        ]
        process.environment = ProcessInfo.processInfo.environment.merging(usual) { $1 }.merging(environment) { $1 }
        let handle = FileHandle(fileDescriptor: follower, closeOnDealloc: false)
        process.standardInput = handle
        process.standardOutput = handle
        process.standardError = handle
        setSize(columns, rows)
        process.terminationHandler = { [ended] _ in ended.signal() }
        try process.run()
        // Reading blocks. The thread ends with the program, and holds only the objects that it needs.
        Thread.detachNewThread { [process, state, changed, leader, follower] in
            Self.read(leader, of: process, into: state, changed)
            close(follower)
            close(leader)
        }
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    /// The screen as it is now.
    var screen: EmulatedTerminal { state.withLock { $0.screen } }

    /// Whether keys come one by one and unechoed; after the program's end, whether they did then.
    var isRaw: Bool {
        if let isRaw = state.withLock({ $0.wasRaw }) { return isRaw }
        return Self.isRaw(leader)
    }

    private static func isRaw(_ leader: Int32) -> Bool {
        var modes = termios()
        unsafe tcgetattr(leader, &modes)
        return modes.c_lflag & tcflag_t(ICANON | ECHO | ISIG) == 0
    }

    /// Whether the program is stopped (proc_pid_stat(5)).
    var isStopped: Bool {
        let stat = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8)
        return stat?.split(separator: ")").last?.hasPrefix(" T") == true
    }

    /// Types keys.
    func type(_ keys: String) {
        var bytes = Array(keys.utf8)[...]
        while !bytes.isEmpty {
            let count = unsafe bytes.withUnsafeBytes { unsafe write(leader, $0.baseAddress, $0.count) }
            if count <= 0 { return }
            bytes = bytes.dropFirst(count)
        }
    }

    /// Changes the terminal's size, as its window does: the program is sent SIGWINCH.
    func resize(columns: Int, rows: Int) {
        state.withLock { $0.screen.resize(TerminalSize(columns: columns, rows: rows)) }
        setSize(columns, rows)
        send(SIGWINCH)
    }

    /// Sends a signal to the program.
    func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// Waits until the screen fulfils a condition, ten minutes at most. A screen that is being drawn is not looked at.
    ///
    /// - Returns: Its lines then.
    @discardableResult
    func wait(_ what: String, _ condition: @escaping @Sendable (EmulatedTerminal) -> Bool) async throws -> [String] {
        try await blocking { [self] in
            let end = DispatchTime.now() + .seconds(600)
            while true {
                let (screen, isAtEnd) = state.withLock { ($0.screen, $0.isAtEnd) }
                if !screen.isBeingDrawn, condition(screen) { return screen.lines }
                // The condition may be met without new output, so it is checked again from time to time.
                _ = changed.wait(timeout: .now() + .milliseconds(100))
                if isAtEnd || DispatchTime.now() > end {
                    let shown = screen.lines.joined(separator: "\n")
                    throw NotShown(description: "\(what) was not shown; this is:\n\(shown)")
                }
            }
        }
    }

    /// Waits until a line has a text in it, ten minutes at most.
    @discardableResult
    func wait(for text: String) async throws -> [String] {
        try await wait("'\(text)'") { screen in screen.lines.contains { $0.contains(text) } }
    }

    /// Waits for the program's end, ten minutes at most; then it is killed.
    ///
    /// - Returns: Its status; 128 and the signal's number where a signal ended it.
    func end() async throws -> Int32 {
        try await blocking { [self] in
            // Foundation's `waitUntilExit` for Linux takes a whole processor while it waits.
            if ended.wait(timeout: .now() + .seconds(600)) == .timedOut {
                kill(process.processIdentifier, SIGKILL)
                let shown = screen.lines.joined(separator: "\n")
                throw NotShown(description: "the program did not end; its screen shows:\n\(shown)")
            }
            ended.signal()
            // By then the screen shows the whole output.
            while !state.withLock({ $0.isAtEnd }) { _ = changed.wait(timeout: .now() + .seconds(1)) }
            return process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
        }
    }

    private func setSize(_ columns: Int, _ rows: Int) {
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = unsafe ioctl(leader, UInt(TIOCSWINSZ), &size)
    }

    private func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
        }
    }

    private static func read(
        _ leader: Int32, of process: Process, into state: Locked<State>, _ changed: DispatchSemaphore
    ) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        // The end of a character may come with the next portion.
        var pending: [UInt8] = []
        while true {
            var ready = pollfd(fd: leader, events: Int16(POLLIN), revents: 0)
            // The follower is open here, too, so the program's end does not end the input. Whether the program runs is
            // asked before the wait: its last output may come between a wait in vain and its end.
            let wasRunning = process.isRunning
            let isReady = unsafe poll(&ready, 1, 50) > 0
            if !isReady {
                if wasRunning { continue }
                break
            }
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe systemRead(leader, $0.baseAddress, $0.count) }
            if count <= 0 { break }
            pending += buffer[..<count]
            let text = takeWhole(&pending)
            state.withLock { $0.screen.take(text) }
            changed.signal()
        }
        state.withLock { state in
            state.wasRaw = isRaw(leader)
            state.isAtEnd = true
        }
        changed.signal()
    }

    /// Takes the whole UTF-8 characters at the beginning.
    private static func takeWhole(_ bytes: inout [UInt8]) -> String {
        let last = bytes.lastIndex { $0 & 0xC0 != 0x80 } ?? bytes.startIndex
        let needed = bytes.isEmpty ? 0 : bytes[last] >= 0xF0 ? 4 : bytes[last] >= 0xE0 ? 3 : bytes[last] >= 0xC0 ? 2 : 1
        let whole = bytes.count - last >= needed ? bytes.count : last
        defer { bytes.removeFirst(whole) }
        return String(decoding: bytes[..<whole], as: UTF8.self)
    }
}
#endif
