// SPDX-License-Identifier: MIT

import BlueCap

/// A device that is given its Wi-Fi over Bluetooth: over a link that a passkey on its display authenticates, and by
/// one central at a time if its manager has `maximumCentrals: 1`.
struct ProvisionedDevice: Sendable {
    enum Status: UInt8, Sendable {
        case idle
        case joining
        case joined
        case failed
    }

    static let service: BluetoothUUID = "7B1E0000-5C3A-4E0B-9A53-2F6D1C8E4A90"
    static let network: BluetoothUUID = "7B1E0001-5C3A-4E0B-9A53-2F6D1C8E4A90"
    static let password: BluetoothUUID = "7B1E0002-5C3A-4E0B-9A53-2F6D1C8E4A90"
    static let status: BluetoothUUID = "7B1E0003-5C3A-4E0B-9A53-2F6D1C8E4A90"

    let manager: PeripheralManager
    let clock: BlueCapClock
    /// Shows digits.
    let show: @Sendable (UInt32) -> Void
    /// Joins a network, and returns whether it did.
    let join: @Sendable (_ network: String, _ password: String) async -> Bool

    private let network = MutableCharacteristic(
        uuid: Self.network, properties: [.read, .write],
        permissions: [.readAuthenticationRequired, .writeAuthenticationRequired])
    private let password = MutableCharacteristic(
        uuid: Self.password, properties: .write, permissions: .writeAuthenticationRequired)
    private let status = MutableCharacteristic(
        uuid: Self.status, properties: [.read, .notify], permissions: .readAuthenticationRequired,
        value: [Status.idle.rawValue])

    init(
        _ manager: PeripheralManager, clock: BlueCapClock, show: @escaping @Sendable (UInt32) -> Void,
        join: @escaping @Sendable (_ network: String, _ password: String) async -> Bool
    ) {
        self.manager = manager
        self.clock = clock
        self.show = show
        self.join = join
    }

    /// Offers itself until the task is cancelled.
    func run() async throws {
        // Before a central can do anything.
        let (requests, writes) = (manager.pairingRequests(capability: .displayOnly), manager.writeRequests())
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await offer() }
            group.addTask {
                for await request in requests {
                    if case .displayPasskey(let passkey) = request.kind { show(passkey) } else { request.reject() }
                }
            }
            group.addTask {
                for await request in writes { try await answer(request) }
            }
            for try await _ in group {}
        }
    }

    /// Adds the service, and advertises as soon as the radio takes an advertisement.
    private func offer() async throws {
        let service = MutableService(uuid: Self.service)
        service.characteristics = [network, password, status]
        while true {
            do {
                try await manager.whenPoweredOn()
                if manager.services.isEmpty { try await manager.add(service) }
                if !manager.isAdvertising {
                    try await manager.startAdvertising("New Lamp", serviceUUIDs: [Self.service])
                }
            } catch {
                // The radio is off again, or takes no advertisement now.
                if [.cancelled, .invalidated].contains(error) { throw error }
            }
            try await clock.sleep(for: .seconds(1))
        }
    }

    /// A text is kept; with a password the device joins the network that it was given before.
    private func answer(_ request: WriteRequest) async throws {
        guard request.offset == 0, let text = String(validating: request.value, as: UTF8.self), !text.isEmpty else {
            return _ = request.respond(ATTError.invalidAttributeValueLength)
        }
        if request.characteristic == network { return _ = request.accept() }
        guard let name = network.value.flatMap({ String(validating: $0, as: UTF8.self) }), !name.isEmpty else {
            return _ = request.respond(ATTError.writeNotPermitted)
        }
        // The password is not kept, as a value could be read.
        request.respond(.success)
        try status.update([Status.joining.rawValue])
        let isJoined = await join(name, text)
        try status.update([(isJoined ? Status.joined : .failed).rawValue])
    }
}
