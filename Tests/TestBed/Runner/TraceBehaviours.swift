#if BlueZ && os(Linux) && canImport(CDBus)
import Foundation
import TraceReplay

/// The real daemon still says what the traces say of it: they are what the scripted daemon of the tests is held to.
enum TraceBehaviours {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../traces").standardized.path

    static let all = Trace.replayable.map { name in
        DaemonBehaviour("bluetoothd says what the trace \(name) says") { world in
            let trace = try Trace(name: name, folder: folder)
            do {
                try await TraceReplay.run(
                    trace, on: BedWorld.bus, limit: .seconds(40), clearing: .milliseconds(200)
                ) { try await world.peer($0) }
            } catch {
                // A trace that ends early may have left the adapter off.
                try await world.setPower(true)
                throw error
            }
        }
    }
}
#endif
