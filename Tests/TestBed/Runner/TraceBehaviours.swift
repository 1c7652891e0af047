#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapTesting
import Foundation
import TraceReplay

/// The real daemon still says what the traces say of it: they are what the scripted daemon of the tests is held to.
///
/// Another version says the same in another order or with other words, so each is held to its own recordings; the conformance
/// suite is what all have to pass.
enum TraceBehaviours {
    /// The recordings of this version, if there are any.
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../traces/\(BedWorld.bluetoothd)").standardized.path

    static let all = Trace.replayable.filter {
        FileManager.default.fileExists(atPath: "\(folder)/\($0).trace")
    }.map { name in
        DaemonBehaviour("bluetoothd says what the trace \(name) says") { world in
            let trace = try Trace(name: name, folder: folder)
            do {
                let limit = Duration.seconds(40) + trace.pauses
                try await TraceReplay.run(trace, in: world, limit: limit, clearing: .milliseconds(200))
            } catch {
                // A trace that ends early may have left the adapter off.
                try? await world.setPower(true)
                throw error
            }
        }
    }
}

extension BedWorld: ReplayWorld {
    var busAddress: String { Self.bus }

    func farCentral(unit: Int) async throws -> (central: any FarCentral, address: PeripheralIdentifier) {
        let central = try await makeFarCentral(0, unit: unit)
        return (central, central.address)
    }

    func startDaemon() async throws { try await startDaemon(experimental: true) }
}
#endif
