// SPDX-License-Identifier: MIT

public import BlueCapCore
import BlueCapRuntime

/// A virtual Bluetooth adapter: what the roles of one program, or several, run on.
///
/// Its methods may be called from anywhere. On the radio's executor (in ``VirtualRadio/run(limit:patience:_:)`` too)
/// they take effect at once, elsewhere in their turn.
public final class VirtualAdapter: Sendable {
    /// How a virtual adapter is made.
    public struct Configuration: Sendable, Hashable {
        /// Its state at the start.
        public var state: ManagerState
        /// How often its scanner listens. With a window as long as the interval it listens all the time.
        public var scanInterval: Duration
        /// For how long it listens in each interval.
        public var scanWindow: Duration
        /// The longest ATT packet its stack takes, 23 to 517.
        public var maximumTransmissionUnit: Int
        /// The GAP device name that centrals learn when they connect to it; empty for none.
        public var name: String
        /// How far it is from other adapters, whose centrals hear its peripheral roles accordingly.
        public var proximity: VirtualProximity

        /// A configuration with the given parts.
        public init(
            state: ManagerState = .poweredOn, scanInterval: Duration = .milliseconds(60),
            scanWindow: Duration = .milliseconds(60), maximumTransmissionUnit: Int = 517,
            name: String = "", proximity: VirtualProximity = .near
        ) {
            self.state = state
            self.scanInterval = scanInterval
            self.scanWindow = scanWindow
            self.maximumTransmissionUnit = min(max(maximumTransmissionUnit, 23), 517)
            self.name = name
            self.proximity = proximity
        }
    }

    /// The adapter's own address.
    public let address: String
    let node: Confined<AdapterNode>
    private let facts: Locked<ManagerState>

    init(address: String, node: Confined<AdapterNode>, facts: Locked<ManagerState>) {
        self.address = address
        self.node = node
        self.facts = facts
    }

    /// The state that managers on this adapter see.
    public var state: ManagerState { facts.withLock { $0 } }

    /// Switches the adapter off: scans, attempts and links end, with no event but the change of state.
    public func powerOff() { change(to: .poweredOff) }

    /// Switches the adapter on.
    public func powerOn() { change(to: .poweredOn) }

    /// Takes the adapter away, as when it is unplugged or its system service dies: the state is `.resetting` until
    /// ``plugIn()``.
    public func unplug() { change(to: .resetting) }

    /// Brings the adapter back, switched on.
    public func plugIn() { change(to: .poweredOn) }

    /// Puts the adapter into any state.
    public func change(to state: ManagerState) { node.perform { $0.change(to: state) } }
}
