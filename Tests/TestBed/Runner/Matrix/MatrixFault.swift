// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapTesting

/// A fault that interrupts a program: of the daemon, the bus, the adapter, or the device at the other end.
enum MatrixFault: CaseIterable, Sendable {
    case restart, crash, stall, bus, power, unplugging
    case vanishing, disconnection, silence, serviceChange

    /// The fault in words, as in the article and the name of a cell.
    var name: String {
        switch self {
        case .restart: "bluetoothd is restarted"
        case .crash: "bluetoothd is killed"
        case .stall: "bluetoothd stands still"
        case .bus: "the bus is killed"
        case .power: "the adapter is switched off"
        case .unplugging: "the adapter is unplugged"
        case .vanishing: "the other device goes out of range"
        case .disconnection: "the other device disconnects"
        case .silence: "the other device falls silent"
        case .serviceChange: "the peripheral changes its services"
        }
    }

    /// Whether it concerns the whole radio.
    var isOfRadio: Bool {
        switch self {
        case .restart, .crash, .stall, .bus, .power, .unplugging: true
        case .vanishing, .disconnection, .silence, .serviceChange: false
        }
    }

    /// Whether a link from before the fault has to be made again.
    var endsLinks: Bool {
        switch self {
        case .stall, .silence, .serviceChange: false
        case .restart, .crash, .bus, .power, .unplugging, .vanishing, .disconnection: true
        }
    }

    /// Whether the fault can interrupt an activity.
    func concerns(_ activity: MatrixActivity) -> Bool {
        switch self {
        case .restart, .crash, .stall, .bus, .power: true
        // bluetoothd crashes (bluez issue 2447).
        case .unplugging: !activity.isServing
        case .vanishing: activity.hasLink || activity == .scanning || activity == .connecting
        case .disconnection: activity.hasLink
        case .silence: activity.hasLink || activity == .scanning
        case .serviceChange: [.reading, .writing, .commanding, .notified, .notifiedBySocket].contains(activity)
        }
    }

    /// The duration of the fault: until the operation under way has failed, within these bounds.
    func duration(under activity: MatrixActivity) -> ClosedRange<Duration> {
        switch self {
        case .restart, .crash, .bus, .power, .unplugging: .seconds(1)...(.seconds(3))
        case .stall, .vanishing: .seconds(3)...(.seconds(3))
        case .disconnection, .serviceChange: .zero...(.zero)
        // A request that is not answered within 30 seconds ends the link (Core Specification, Vol 3, Part F, 3.3.3).
        case .silence: .seconds(3)...(.seconds(activity.hasRequest ? 40 : 3))
        }
    }

    func begin(in world: BedWorld, _ app: any MatrixApp) async throws {
        switch self {
        case .restart: try await world.stopDaemon()
        case .crash: try await world.killDaemon()
        case .stall: try await world.pauseDaemon(true)
        case .bus: try await world.killBus()
        case .power: try await world.setPower(false)
        case .unplugging: try await world.setAdapter(present: false)
        case .vanishing: try await world.request("vanish")
        case .disconnection:
            // Operations held back by the silence go on first, and do not end within the next millisecond.
            try await world.request("return")
            try await world.request("disconnect")
        case .silence: try await world.request("mute")
        case .serviceChange: try await app.changeServices()
        }
    }

    func end(in world: BedWorld) async throws {
        switch self {
        case .restart, .crash: try await world.startDaemon(experimental: true)
        case .stall: try await world.pauseDaemon(false)
        case .bus: try await world.startBus()
        case .power: try await world.setPower(true)
        case .unplugging: try await world.setAdapter(present: true)
        case .vanishing, .silence: try await world.request("return")
        case .disconnection, .serviceChange: break
        }
    }
}
#endif
