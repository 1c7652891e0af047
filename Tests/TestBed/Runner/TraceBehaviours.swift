// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapBlueZ
import BlueCapCore
import BlueCapTesting
import Foundation
import BlueCapTraceReplay

/// Checks that the real daemon still behaves as the traces recorded it: the tests' scripted daemon is checked against
/// the same traces.
///
/// Other versions send the same messages in another order or with other words, so each version is compared with its own
/// recordings, or without any with the recordings of the version that it resembles; all versions have to pass the
/// conformance suite.
enum TraceBehaviours {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../traces")
        .standardized.path

    /// The versions whose recordings hold for this one, its own first.
    private static let versions: [BlueZVersion] = {
        let likeness = BedWorld.bluetoothd < BlueZVersion(5, 80) ? BlueZVersion(5, 66) : BlueZVersion(5, 87)
        return BedWorld.bluetoothd == likeness ? [likeness] : [BedWorld.bluetoothd, likeness]
    }()

    static let all = (Trace.replayable + Trace.ofPasskeys).compactMap { name in
        versions.first { FileManager.default.fileExists(atPath: path(of: name, $0)) }
            .flatMap { holds(name, $0) ? behaviour(of: name, recordedOf: $0) : nil }
    }

    private static func path(of name: String, _ version: BlueZVersion) -> String {
        "\(folder)/\(version)/\(name).trace"
    }

    /// Whether a recording holds for the controllers of this bed: those with extended advertising have more places for
    /// advertisements, which bluetoothd tells, than the ones that were recorded.
    private static func holds(_ name: String, _ version: BlueZVersion) -> Bool {
        guard BedWorld.isExtended else { return true }
        guard let text = try? String(contentsOfFile: path(of: name, version), encoding: .utf8) else { return true }
        return !text.contains("SupportedInstances")
    }

    private static func behaviour(of name: String, recordedOf version: BlueZVersion) -> DaemonBehaviour {
        let source = version == BedWorld.bluetoothd ? "" : " of \(version)"
        return DaemonBehaviour("bluetoothd says what the trace \(name) says\(source)") { world in
            let trace = try Trace(name: name, folder: "\(folder)/\(version)")
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

    func farCentral(unit: Int) async throws -> (central: any FarCentral, address: PeerIdentifier) {
        let central = try await makeFarCentral(0, unit: unit)
        return (central, central.address)
    }

    func send(_ command: String, to device: Int) async throws -> String {
        let parameters = try JSONDecoder().decode([String: JSON].self, from: Data(command.utf8))
        guard case .string(let name) = parameters["cmd"] else { throw BedError(description: "no command: \(command)") }
        let answer = try await request(name, parameters.merging(["device": .int(device)]) { $1 })
        return String(decoding: answer, as: UTF8.self)
    }

    func letKernelFinish(within limit: Duration) async throws { try await ContinuousClock().sleep(for: limit) }

    func startDaemon() async throws { try await startDaemon(experimental: true) }
}
#endif
