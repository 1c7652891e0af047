// SPDX-License-Identifier: MIT

import BlueCap
import Glibc

/// Runs one of the works that `Benchmarks/pipeline` measures, and prints the used resources as a line of JSON.
///
/// `Pipeline WORK COUNT AT_ONCE [loop]`: with "loop" the work is done in `run` of the manager, else in an ordinary
/// task. Words on standard output tell the script when to make the peer send.
@main
struct Pipeline {
    let work: String
    let count: Int
    let atOnce: Int
    let onLoop: Bool

    /// Not `async`: libdispatch's wait of an asynchronous `main` ends valgrind 3.19. This thread sleeps until the task
    /// ends the process.
    static func main() {
        let words = CommandLine.arguments
        guard words.count >= 4, let count = Int(words[2]), let atOnce = Int(words[3]), count > 0, atOnce > 0 else {
            leave(2, "usage: Pipeline WORK COUNT AT_ONCE [loop]")
        }
        let pipeline = Pipeline(work: words[1], count: count, atOnce: atOnce, onLoop: words.contains("loop"))
        let idle = pipeline.work == "idle" ? CentralManager() : nil
        // In a loop, the idle program leaves Swift's pool alone from its first task on.
        let executor: (any TaskExecutor)? = pipeline.onLoop ? idle?.executor : nil
        Task(executorPreference: executor) { @concurrent in
            do {
                let figures = if let idle { try await pipeline.idle(with: idle) } else { try await pipeline.run() }
                print(figures.json)
            } catch {
                leave(1, "Pipeline \(pipeline.work): \(error)")
            }
            // Cleaning up is not part of the work.
            leave(0, nil)
        }
        while true { pause() }
    }

    func run() async throws -> Figures {
        switch work {
        case "notify", "flat": try await notifications(transport: .standard)
        case "packets": try await notifications(transport: .socket)
        case "read", "write", "command", "write-socket": try await operations()
        case "sight": try await sightings(of: [])
        case "sight-filtered": try await sightings(of: [Names.advertised])
        case "start": try await start()
        case "update": try await updates(over: "bus")
        case "update-socket": try await updates(over: "socket")
        case "request": try await requests()
        case "virtual-sight": try await virtualSightings()
        case "virtual-notify": try await virtualNotifications()
        case "virtual-day": try await virtualDay()
        case let work where work.hasPrefix("late-virtual-"): try await lateVirtual(String(work.dropFirst(13)))
        case let work where work.hasPrefix("late-"): try await late(String(work.dropFirst(5)))
        default: leave(2, "Pipeline knows no work \(work)")
        }
    }

    /// Runs the part that counts where the script wants it.
    func consume<Result: Sendable>(
        with central: CentralManager, _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        onLoop ? try await central.run { try await body() } : try await body()
    }

    /// The same of the other role.
    func consume<Result: Sendable>(
        with manager: PeripheralManager, _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        onLoop ? try await manager.run { try await body() } : try await body()
    }
}

/// Says a word to the script.
func say(_ word: String) {
    print(word)
    fflush(nil)
}

/// Ends the program at once.
func leave(_ status: Int32, _ reason: String?) -> Never {
    fflush(nil)
    if let reason {
        let line = Array("\(reason)\n".utf8)
        _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
    _exit(status)
}

/// The peer's name and attributes; see `Benchmarks/Bluetoothd/objects.c`.
enum Names {
    static let target = "Target"
    static let advertised: BluetoothUUID = "180F"
    static let service: BluetoothUUID = "F000AA00-0451-4000-B000-000000000000"
    static let characteristic: BluetoothUUID = "F000AB00-0451-4000-B000-000000000000"
}
