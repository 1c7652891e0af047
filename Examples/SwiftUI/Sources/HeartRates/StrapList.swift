// SPDX-License-Identifier: MIT

public import BlueCap
public import Observation

/// The straps in reach, for a view that lists them.
@MainActor @Observable
public final class StrapList {
    /// The latest sighting of each strap, in the order in which they were found.
    public private(set) var straps: [Discovery] = []
    /// Whether a scan is under way.
    public private(set) var isScanning = false
    /// The reason why nothing can be found; nil while the radio is on.
    public private(set) var problem: String?

    private let central: CentralManager

    /// - Parameter central: The only manager of the app, which is made at launch.
    public init(central: CentralManager) { self.central = central }

    /// Keeps the list up to date until the task is cancelled, as SwiftUI does with the task of a view that goes away.
    public func scan() async {
        for await state in central.states() {
            straps = []
            problem = state == .poweredOn ? nil : "Bluetooth is \(state)."
            isScanning = state == .poweredOn
            guard isScanning else { continue }
            do {
                for try await sighting in central.scan(for: [HeartRateService.uuid]) { take(sighting) }
            } catch {
                // The radio went off, which the next state says, or the platform has failed.
                problem = "\(error)"
            }
            isScanning = false
        }
    }

    private func take(_ sighting: Discovery) {
        let place = straps.firstIndex { $0.peripheral == sighting.peripheral }
        switch (sighting.kind, place) {
        case (.lost, let place?): straps.remove(at: place)
        case (.lost, nil): break
        case (_, let place?): straps[place] = sighting
        case (_, nil): straps.append(sighting)
        }
    }
}
