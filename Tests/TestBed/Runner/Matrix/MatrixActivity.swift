// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore

/// The operation of a program that a fault interrupts.
enum MatrixActivity: CaseIterable, Sendable {
    case scanning, connecting, discovering, reading, writing, commanding, notified, notifiedBySocket, pairing
    case exchangingUnits
    case adding, advertising, servingReads, servingWrites, notifying, indicating, sendingUnits

    /// The role that it belongs to.
    enum Role: CaseIterable { case central, peripheral }

    var role: Role {
        switch self {
        case .scanning, .connecting, .discovering, .reading, .writing, .commanding, .notified, .notifiedBySocket,
            .pairing, .exchangingUnits:
            .central
        case .adding, .advertising, .servingReads, .servingWrites, .notifying, .indicating, .sendingUnits: .peripheral
        }
    }

    /// The heading in the article.
    var heading: String { name.prefix(1).uppercased() + name.dropFirst() }

    /// Its part in the name of a cell.
    var name: String {
        switch self {
        case .scanning: "scanning"
        case .connecting: "connecting"
        case .discovering: "discovering"
        case .reading: "reading"
        case .writing: "writing with response"
        case .commanding: "writing without response"
        case .notified: "being notified"
        case .notifiedBySocket: "being notified over a socket"
        case .pairing: "pairing"
        case .exchangingUnits: "exchanging units over a channel"
        case .adding: "adding services"
        case .advertising: "advertising"
        case .servingReads: "serving a read"
        case .servingWrites: "serving a write"
        case .notifying: "notifying"
        case .indicating: "indicating"
        case .sendingUnits: "sending units over a channel"
        }
    }

    /// The operation under way, the app's reaction when it fails, and the proof that it works again.
    var summary: String {
        switch self {
        case .scanning:
            """
            The app scans in a loop, and again when the scan throws. It works when the peripheral is sighted. The kernel goes on with \
            the discovery of a bluetoothd that was killed for up to 10.24 s, and refuses any other until then. Here bluetoothd has \
            `-E`, and a monitor hears the peripheral meanwhile; without `-E` these rows take those seconds (<doc:BlueZ>).
            """
        case .connecting:
            """
            The peripheral is out of range and `connect()` waits for it; it comes back with the end of the fault. The app calls \
            `connect()` again when it throws. It works when the call returns.
            """
        case .discovering:
            """
            The peripheral has stopped answering in the middle of `discover()`, and answers again with the end of the fault. The app \
            calls `discover()` again when it throws and the link is up. It works when the call returns.
            """
        case .reading, .writing:
            """
            The peripheral owes the answer to a request, which it gives with the end of the fault. The app discovers and calls \
            again when the call throws and the link is up. It works when the call returns.
            """
        case .commanding:
            """
            The app writes every few milliseconds. It discovers and goes on when a write throws and the link is up. It works when \
            the peripheral has got a new value.
            """
        case .notified, .notifiedBySocket:
            """
            The app loops over `notifications(onDisconnect: .resubscribe)`, the peripheral notifies every 20 ms. The app \
            discovers and subscribes again only when the loop throws. It works when a value comes that was sent after the fault.
            """
        case .pairing:
            """
            The app has yet to answer whether the digits are the same, and says yes with the end of the fault. It calls `pair()` \
            again when it throws and the link is up. It works when the call returns.
            """
        case .exchangingUnits:
            """
            The app sends units of a channel that come back, and opens another when it ends and the link is up. It works when a \
            unit comes back that was sent after the fault.
            """
        case .adding:
            "The app adds and removes a service in a loop. It works when a service is added."
        case .advertising:
            """
            The app has added a service and advertises, and does nothing more. It works when a far central hears the \
            advertisement, connects and reads a value.
            """
        case .servingReads, .servingWrites:
            """
            The app has yet to answer a request of a far central, and answers with the end of the fault. It works when a request \
            of the central, which connects again if it has to, is answered.
            """
        case .notifying, .indicating:
            """
            The app updates a value every 20 ms. It works when a value comes to the far central, which connects and subscribes \
            again if it has to.
            """
        case .sendingUnits:
            """
            The app has published a PSM and sends a unit every 20 ms; it publishes again when that ends. It works when a unit comes \
            to the far central, which opens a channel again if it has to.
            """
        }
    }

    /// Whether there is a link when the fault comes.
    var hasLink: Bool { ![.scanning, .connecting, .adding, .advertising].contains(self) }

    /// Whether one side owes the other an answer over the link.
    var hasRequest: Bool {
        [.discovering, .reading, .writing, .pairing, .servingReads, .servingWrites, .indicating].contains(self)
    }

    /// Whether a far central waits for the app.
    var isServing: Bool { self == .servingReads || self == .servingWrites }

    /// Whether there is a channel, which the kernel ends by itself.
    var hasChannel: Bool { self == .exchangingUnits || self == .sendingUnits }

    /// Whether values flow unasked, for which there is a bound.
    var flows: Bool { [.notified, .notifiedBySocket, .notifying, .indicating].contains(self) }

    /// A program that does it.
    func app(in world: BedWorld, _ log: MatrixLog) async throws -> any MatrixApp {
        switch (self, role) {
        case (.exchangingUnits, _): try await ChannelApp(in: world, log)
        case (.sendingUnits, _): try await PublishedChannelApp(in: world, log)
        case (_, .central): try await CentralApp(self, in: world, log)
        case (_, .peripheral): try await PeripheralApp(self, in: world, log)
        }
    }
}

/// A small program as an app's author would write it, and the far device that it deals with.
protocol MatrixApp: Sendable {
    /// The states of its manager, from now on.
    func states() -> AsyncStream<ManagerState>
    /// The events of the app's own link, from now on; empty if far centrals make the links.
    func connectionEvents() -> AsyncStream<ConnectionEvent>
    /// The program, until it is cancelled.
    func run() async
    /// Returns when the operation that the fault is to interrupt is under way.
    func isUnderWay() async throws
    /// Lets the peripheral report that its attributes have moved.
    func changeServices() async throws
    /// Lets operations that were held up continue.
    func release() async throws
    /// Returns when the app's activity is shown to work, by an event after the call.
    func works(after fault: MatrixFault) async throws
}
extension ReconnectPolicy {
    /// That of the programs of the matrix, without a limit of time.
    static let matrix = ReconnectPolicy(
        maximumTimeouts: nil, maximumDisconnections: nil, backoff: .constant(.milliseconds(250)))
}
#endif
