// SPDX-License-Identifier: MIT

#if canImport(CoreBluetooth)
import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import CoreBluetooth

/// One connection, or attempt at one: the object of the peripheral, and a room for each concern.
final class CentralLink {
    typealias Backend = CoreBluetoothCentralBackend

    /// Names one link in the life of its backend. An event that comes later, such as a timer, holds the name, which a
    /// later link to the same peripheral does not have.
    struct Name: Sendable, Equatable {
        let id: PeerIdentifier
        let number: UInt64
    }

    /// The course of a link.
    enum Phase {
        case connecting
        /// The attempt was cancelled.
        case aborting
        case connected
        /// The connection was cancelled.
        case disconnecting
    }

    let name: Name
    var id: PeerIdentifier { name.id }
    let peripheral: CBPeripheral
    var phase = Phase.connecting
    /// Ends a cancelled link that CoreBluetooth does not report as ended (C2).
    var cancelTimer: ClockTimer?
    var requests = RequestQueues()
    private(set) lazy var database = LinkDatabase(self, numbers)
    var values: LinkValues { LinkValues(self) }
    private(set) lazy var commands = LinkCommands(self)
    private(set) lazy var openings = ChannelOpenings(self, channels)
    private let numbers: AttributeNumbers
    private let channels: OpenChannels
    /// The longest value of a command that is known to fit. C14: it is 20 at first, and CoreBluetooth does not report
    /// when it grows.
    private var commandLength = CentralLink.shortestLength
    /// The length of a command that fits every link: ATT's smallest MTU without the three bytes of a command's header.
    static let shortestLength = 20

    init(_ name: Name, _ peripheral: CBPeripheral, _ numbers: AttributeNumbers, _ channels: OpenChannels) {
        self.name = name
        self.peripheral = peripheral
        self.numbers = numbers
        self.channels = channels
    }

    /// Whether the peripheral takes commands; CoreBluetooth ignores them otherwise, without a callback (C6).
    var isUp: Bool { phase == .connected && peripheral.state == .connected }

    // MARK: The length of values

    /// Asks for the length of commands, which says the MTU, and reports the MTU if it has grown (C14).
    func noteLength(_ report: (CentralEvent) -> Void) {
        let length = peripheral.maximumWriteValueLength(for: .withoutResponse)
        guard length > commandLength, length <= Int(UInt16.max) - 3 else { return }
        commandLength = length
        report(.maximumTransmissionUnitChanged(id, length + 3))
    }

    /// The same for a notified value, where it is one that shows that the MTU has grown.
    func noteLength(ofNotified count: Int, _ report: (CentralEvent) -> Void) {
        if count > commandLength { noteLength(report) }
    }

    // MARK: Callbacks

    /// D3: the services of the peripheral have changed, and the objects of those that the system names, or does not
    /// list any more, cannot be used.
    func servicesChanged(_ invalidated: [CBService], _ backend: isolated Backend) {
        let change = database.change(invalidated)
        database.forgetObjects(of: change.gone)
        let failed = requests.takeAttributes(of: change.gone) + commands.take(of: change.gone)
        backend.emit(.servicesChanged(id, invalidated: change.reported))
        for request in failed { backend.emit(.reply(request, .failure(.att(.invalidHandle)))) }
    }

    /// Asks for the strength of the signal (C13).
    func readStrength(_ request: RequestID) {
        requests.add(request, to: .rssi)
        peripheral.readRSSI()
    }

    /// The strength of the signal has come; nil where it was not measured.
    func strengthRead(_ strength: Int?, _ error: PlatformError?, _ backend: isolated Backend) {
        guard let request = requests.take(.rssi) else { return backend.countStray() }
        if let error { return backend.emit(.reply(request.id, .failure(error.operationFailure))) }
        backend.emit(.reply(request.id, strength.map { .success(.rssi($0)) } ?? .failure(.rssiUnavailable)))
    }

    /// The link has ended.
    func end() {
        cancelTimer?.cancel()
        commands.end()
        openings.end()
    }
}
#endif
