// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapTesting
import Foundation

/// A manager that is made while bluetoothd does not answer, or the bus refuses access to it.
enum StartingBehaviours {
    static let all: [DaemonBehaviour] = [
        DaemonBehaviour("a manager made while bluetoothd stands still says so, and is on by itself once it goes on") {
            world in
            try await world.pauseDaemon(true)
            try await expectReturn(in: world, from: .resetting, naming: "org.freedesktop.DBus.Error.NoReply") {
                try await world.pauseDaemon(false)
            }
        },
        DaemonBehaviour("a manager that is refused bluetoothd's objects says so, and is on by itself once it is not") {
            world in
            let policy = URL(filePath: "/etc/dbus-1/system.d/zz-refused.conf")
            try Data(refusal.utf8).write(to: policy)
            do {
                try await world.reloadBus()
                try await expectReturn(
                    in: world, from: .unauthorized, naming: "org.freedesktop.DBus.Error.AccessDenied"
                ) {
                    try FileManager.default.removeItem(at: policy)
                    try await world.reloadBus()
                }
            } catch {
                try? FileManager.default.removeItem(at: policy)
                try? await world.reloadBus()
                throw error
            }
        },
    ]

    private static let refusal = """
        <busconfig>
          <policy context="mandatory">
            <deny send_destination="org.bluez" send_interface="org.freedesktop.DBus.ObjectManager"/>
          </policy>
        </busconfig>
        """

    /// The error that says why the radio is not on.
    private static func reason(for central: CentralManager) async -> CentralManagerError? {
        do {
            try await central.whenPoweredOn(timeout: .milliseconds(1))
            return nil
        } catch { return error }
    }

    /// Expects both managers to be in a state for a reason, and to be on once `change` was made.
    private static func expectReturn(
        in world: BedWorld, from state: ManagerState, naming name: String, _ change: () async throws -> Void
    ) async throws {
        let (central, manager) = world.makeFirstManagers()
        try await withEventRecorder(of: central.states()) { states in
            try await withEventRecorder(of: manager.states()) { others in
                do {
                    try await states.wait(for: state)
                    try await others.wait(for: state)
                    guard case .backend(let told) = await reason(for: central), told.name == name else {
                        throw ConformanceFailure("the reason is \(String(describing: await reason(for: central)))")
                    }
                    try await change()
                    try await states.wait { $0.last == .poweredOn }
                    try await others.wait { $0.last == .poweredOn }
                } catch is CancellationError {
                    throw ConformanceFailure("the states were \(states.all) and \(others.all)")
                }
            }
        }
    }
}
#endif
