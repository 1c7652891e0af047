// SPDX-License-Identifier: MIT

public import BlueCapCore
import BlueCapRuntime

/// A virtual Bluetooth adapter, on which the roles of one program, or of several, run.
///
/// Its methods may be called from any thread. On the radio's executor (in ``VirtualRadio/run(limit:patience:_:)`` too)
/// they take effect at once; elsewhere they take effect in the order of the calls, after the executor's queued jobs.
public final class VirtualAdapter: Sendable {
    /// The state, the scanner and the limits with which a virtual adapter is made.
    public struct Configuration: Sendable, Hashable {
        /// The state of the adapter when it is made.
        public var state: ManagerState
        /// The time from one listening window of the scanner to the next. With a window as long as the interval it
        /// listens all the time.
        public var scanInterval: Duration
        /// The time for which the scanner listens in each interval.
        public var scanWindow: Duration
        /// The longest ATT packet that the adapter's stack accepts in bytes, 23 to 517.
        public var maximumTransmissionUnit: Int
        /// The GAP device name that centrals read when they connect to the adapter; empty for none.
        public var name: String
        /// The distance from other adapters, which decides how well their centrals receive this adapter's peripheral
        /// roles.
        public var proximity: VirtualProximity
        /// The parameters of connections that centrals make to the adapter's peripheral roles. The longest ATT packet
        /// of such a connection is the lesser of its number and ``maximumTransmissionUnit``.
        public var connection: VirtualConnection

        /// Creates a configuration.
        ///
        /// - Parameters:
        ///   - state: The state of the adapter when it is made.
        ///   - scanInterval: The time from one listening window of the scanner to the next.
        ///   - scanWindow: The time for which the scanner listens in each interval.
        ///   - maximumTransmissionUnit: The longest ATT packet that the stack accepts in bytes, brought into 23 to 517.
        ///   - name: The GAP device name that centrals read; empty for none.
        ///   - proximity: The distance from other adapters.
        ///   - connection: The parameters of connections to the adapter's peripheral roles.
        public init(
            state: ManagerState = .poweredOn, scanInterval: Duration = .milliseconds(60),
            scanWindow: Duration = .milliseconds(60), maximumTransmissionUnit: Int = 517,
            name: String = "", proximity: VirtualProximity = .near,
            connection: VirtualConnection = VirtualConnection(maximumTransmissionUnit: 517, maximumConnections: 7)
        ) {
            self.state = state
            self.scanInterval = scanInterval
            self.scanWindow = scanWindow
            self.maximumTransmissionUnit = min(max(maximumTransmissionUnit, 23), 517)
            self.name = name
            self.proximity = proximity
            self.connection = connection
        }
    }

    /// The address of an adapter for which none is chosen, and which programs share.
    package static let usualAddress = "00:00:5E:00:53:01"

    /// The adapter's own address.
    public let address: String
    let node: Confined<AdapterNode>
    let facts: Locked<AdapterFacts>

    init(address: String, node: Confined<AdapterNode>, facts: Locked<AdapterFacts>) {
        self.address = address
        self.node = node
        self.facts = facts
    }

    /// The state that managers on this adapter see.
    public var state: ManagerState { facts.withLock { $0.state } }

    /// Switches the adapter off: scans, attempts and links end, with no event but the change of state.
    public func powerOff() { change(to: .poweredOff) }

    /// Switches the adapter on.
    public func powerOn() { change(to: .poweredOn) }

    /// Removes the adapter, as when it is unplugged or its system service dies: the state is `.resetting` until
    /// ``plugIn()``.
    public func unplug() { change(to: .resetting) }

    /// Brings the adapter back, switched on.
    public func plugIn() { change(to: .poweredOn) }

    /// Puts the adapter into the given state.
    public func change(to state: ManagerState) { node.perform { $0.change(to: state) } }
}
