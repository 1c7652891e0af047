// SPDX-License-Identifier: MIT

public import BlueCap
public import Observation

/// One strap, for the view that shows its values.
@MainActor @Observable
public final class StrapPage {
    /// The name of the strap.
    public let name: String
    /// Whether the strap is connected.
    public private(set) var isConnected = false
    /// The latest heart rate, in beats per minute; nil before the first, and while there is no connection.
    public private(set) var heartRate: Int?
    /// The reason why the strap is not connected to any more.
    public private(set) var problem: String?

    private let strap: Peripheral

    /// - Parameter strap: The strap to connect to. It does not keep its manager, which the app has to.
    public init(_ strap: Peripheral) {
        (self.strap, name) = (strap, strap.displayName)
    }

    /// Stays connected until the task is cancelled, and after each loss connects again.
    public func follow() async {
        problem = nil
        do {
            try await strap.stayConnected(.forever, discovering: [HeartRateService.uuid]) { @MainActor strap in
                self.isConnected = true
                defer { (self.isConnected, self.heartRate) = (false, nil) }
                let measurement = try strap.characteristic(HeartRateService.Measurement.self)
                for try await value in try await measurement.notifications() {
                    self.heartRate = Int(value.beatsPerMinute)
                }
                // The loop also ends when its task is cancelled, as it is when the link is lost.
                try Task.checkCancellation()
            }
        } catch {
            if !Task.isCancelled { problem = "\(error)" }
        }
    }
}
