// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapBlueZ
import BlueCapCore
import BlueCapSerDe
import BlueCapTesting
import Foundation

/// A program of both roles that keeps journals, to be killed: `bluecap-testbed --program FOLDER ADDRESS`.
///
/// The first one connects to the device at the address, listens to its characteristic, adds a service and advertises;
/// its successors take that up. It writes a line for each thing that the test waits for.
struct RestoredProgram {
    static let name = "Restored"
    /// The attributes of the far peripheral.
    static let sensor: BluetoothUUID = "B1ECE000-5EED-4000-B000-00805F9B34FB"
    static let measured: BluetoothUUID = "B1ECE001-5EED-4000-B000-00805F9B34FB"
    /// The attributes of the program.
    static let service: BluetoothUUID = "B1ECF000-5EED-4000-B000-00805F9B34FB"
    static let fixed: BluetoothUUID = "B1ECF001-5EED-4000-B000-00805F9B34FB"
    static let relayed: BluetoothUUID = "B1ECF002-5EED-4000-B000-00805F9B34FB"

    let folder: String
    let address: PeerIdentifier

    /// The program that the arguments ask for; nil where they ask for the suite.
    init?(_ arguments: [String]) {
        guard arguments.count == 3, arguments[0] == "--program" else { return nil }
        folder = arguments[1]
        address = PeerIdentifier(arguments[2])
    }

    private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

    func run() async throws {
        let store = FileRestorationStore(folder: folder)
        let central = CentralManager(
            backend: BlueZCentralBackend(),
            configuration: .init(restoreIdentifier: "program", restorationStore: store))
        let server = PeripheralManager(
            backend: BlueZPeripheralBackend(),
            configuration: .init(restoreIdentifier: "program", restorationStore: store))
        let restored = try await central.restoredState()
        let restoredServer = try await server.restoredState()
        Self.say(restored == nil ? "new" : "restored")
        let relayed = try await serve(server, restoredServer)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                let measured = try await listen(central, restored)
                var values = try await measured.notifications(onDisconnect: .resubscribe).makeAsyncIterator()
                Self.say("listening")
                while let value = try await values.next() {
                    try relayed.update(value)
                    Self.say("value \(value.first ?? 0)")
                }
            }
            group.addTask {
                for await event in relayed.subscriptions() {
                    if event.kind == .subscribed { Self.say("subscribed") }
                }
            }
            group.addTask {
                for await failure in server.registrationFailures() { Self.say("failed \(failure)") }
            }
            for try await _ in group {}
        }
    }

    /// - Returns: The characteristic whose values the far central is notified of.
    private func serve(
        _ server: PeripheralManager, _ restored: RestoredPeripheralState?
    ) async throws -> MutableCharacteristic {
        if let relayed = restored?.characteristics.first(where: { $0.uuid == Self.relayed }) {
            relayed.updatePolicy = .none
            return relayed
        }
        try await server.whenPoweredOn()
        let relayed = MutableCharacteristic(uuid: Self.relayed, properties: .notify, value: nil)
        relayed.updatePolicy = .none
        let service = MutableService(uuid: Self.service)
        service.characteristics = [
            MutableCharacteristic(uuid: Self.fixed, properties: .read, value: [7]), relayed,
        ]
        try await server.add(service)
        try await server.startAdvertising(Self.name)
        return relayed
    }

    /// - Returns: The characteristic of the device, which is connected.
    private func listen(_ central: CentralManager, _ restored: RestoredCentralState?) async throws -> Characteristic {
        try await central.whenPoweredOn()
        if let peripheral = restored?.peripherals.first, let characteristic = restored?.characteristics.first {
            try await peripheral.connect(timeout: .seconds(20))
            return characteristic
        }
        for try await discovery in central.scan() where discovery.peripheral.identifier == address {
            discovery.peripheral.reconnectPolicy = ReconnectPolicy(maximumTimeouts: nil, maximumDisconnections: nil)
            try await discovery.peripheral.connect(timeout: .seconds(20))
            try await discovery.peripheral.discover()
            return try discovery.peripheral.characteristic(Self.measured)
        }
        throw BedError(description: "the device was not sighted")
    }
}
#endif
