// SPDX-License-Identifier: MIT

#if canImport(CoreBluetooth)
import BlueCapCore
import BlueCapRuntime

/// The sightings of a restored scan that come before the program scans again.
///
/// R3: a restored scan goes on. Often the first sighting is the one for which the system has started the program, and
/// the device sends no more by the time the program scans. So the scan runs on for some seconds.
final class EarlySightings {
    typealias Backend = CoreBluetoothCentralBackend

    /// How long the program may take to begin its scan.
    private static let patience = Duration.seconds(10)
    /// The number of peripherals whose latest sighting is held; of more the oldest are lost.
    private static let limit = 256

    private var sightings = RecentTable<PeerIdentifier, Sighting>(limit: limit)
    private var timer: ClockTimer?

    /// Whether the restored scan runs on.
    var isOpen: Bool { timer != nil }

    /// Holds sightings from now on, until time has passed.
    ///
    /// - Parameter ended: Ends the restored scan.
    func begin(_ backend: isolated Backend, ended: @escaping @Sendable (isolated Backend) -> Void) {
        timer = backend.clock.schedule(after: Self.patience) { [weak backend] in
            backend?.later { backend in
                guard backend.radio.early.isOpen else { return }
                backend.radio.early.end()
                ended(backend)
            }
        }
    }

    /// Holds a sighting, in the place of the one before of the same peripheral.
    func hold(_ sighting: Sighting) { if isOpen { sightings.set(sighting, for: sighting.peripheral) } }

    /// Returns the sightings for the program's first scan, whose manager takes what it asks for, and holds none any
    /// more.
    func take() -> [Sighting] {
        defer { end() }
        return sightings.values
    }

    /// Holds no sightings any more.
    func end() {
        timer?.cancel()
        timer = nil
        sightings.removeAll()
    }
}
#endif
