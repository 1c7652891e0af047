// SPDX-License-Identifier: MIT

public import BlueCapCore
public import BlueCapSerDe

/// A far central that is a `CentralManager` of our own, on another adapter than the manager under test.
public actor ManagerCentral: FarCentral {
    /// The features that the manager's platform makes impossible, and the separation of scan responses from
    /// advertisements, which no manager offers.
    public nonisolated let limits: [WorldLimit]
    private let central: CentralManager
    private var peripheral: Peripheral?
    private var subscriptions: [AttributeID: Subscription] = [:]
    private var changes: AsyncStream<[BluetoothUUID]>.Iterator?

    private struct Subscription {
        let values: AsyncStream<Bytes>
        var iterator: AsyncStream<Bytes>.Iterator
    }

    /// Creates a far central over a central manager.
    ///
    /// - Parameters:
    ///   - central: The manager that scans and connects; ``listen(for:)`` measures time on its clock.
    ///   - limits: The features that the manager's platform makes impossible.
    public init(_ central: CentralManager, limits: [WorldLimit] = []) {
        self.central = central
        let apart = WorldLimit(
            .scanResponseApart, reason: "a discovery has the advertisement and the scan response taken together")
        self.limits = limits + [apart]
    }

    /// Scans until the manager sights a device that `isWanted` accepts, and returns that device.
    ///
    /// - Throws: `CentralManagerError` if the scan fails; a ``ConformanceFailure`` that says what was sighted if the
    ///   task is cancelled; `CancellationError` if it is before the scan.
    public func hear(
        _ isWanted: @escaping @Sendable (PeripheralAdvertisements) -> Bool
    ) async throws -> HeardDevice {
        try await central.whenPoweredOn()
        var (count, last) = (0, nil as Discovery?)
        for try await discovery in central.scan(options: ScanOptions(allowsDuplicates: true)) {
            if discovery.kind != .lost && isWanted(discovery.advertisements) {
                return HeardDevice(
                    identifier: discovery.peripheral.identifier, isPublic: true,
                    advertisements: discovery.advertisements)
            }
            (count, last) = (count + 1, discovery)
        }
        let sighted = last.map { "; the last of \(count) discoveries: \($0)" } ?? " and nothing was sighted"
        throw ConformanceFailure("the scan ended before the device was heard\(sighted)")
    }

    /// Scans for the given time, and returns the devices that the manager sighted. The count of a device is the number
    /// of the platform's reports.
    ///
    /// - Throws: `CentralManagerError` if the scan fails; `CancellationError`.
    public func listen(for duration: Duration) async throws -> [HeardDevice] {
        try await central.whenPoweredOn()
        let (central, clock) = (central, central.clock)
        return try await withThrowingTaskGroup(of: [HeardDevice].self) { group in
            group.addTask {
                var heard: [PeerIdentifier: HeardDevice] = [:]
                for try await discovery in central.scan(options: ScanOptions(allowsDuplicates: true))
                where discovery.kind != .lost {
                    let identifier = discovery.peripheral.identifier
                    heard[identifier] = HeardDevice(
                        identifier: identifier, isPublic: true, advertisements: discovery.advertisements,
                        count: (heard[identifier]?.count ?? 0) + 1)
                }
                return Array(heard.values)
            }
            try await clock.sleep(for: duration)
            group.cancelAll()
            return try await group.next() ?? []
        }
    }

    /// Connects to a device and discovers everything.
    ///
    /// - Returns: The services of the device.
    /// - Throws: A ``ConformanceFailure`` if the manager does not know the device; `PeripheralError` if the connection
    ///   or the discovery fails.
    public func connect(to device: HeardDevice) async throws -> [FarService] {
        let peripheral = try require(central.peripheral(withIdentifier: device.identifier), "the device")
        changes = peripheral.serviceChanges().makeAsyncIterator()
        try await peripheral.connect()
        self.peripheral = peripheral
        return try await discover()
    }

    public func discover() async throws -> [FarService] {
        let peripheral = try connected()
        try await peripheral.discover()
        var services: [FarService] = []
        for service in peripheral.services {
            var characteristics: [FarCharacteristic] = []
            for characteristic in service.characteristics {
                let descriptors = try await characteristic.discoverDescriptors()
                characteristics.append(
                    FarCharacteristic(
                        uuid: characteristic.uuid, id: characteristic.id, properties: characteristic.properties,
                        descriptors: Dictionary(descriptors.map { ($0.uuid, $0.id) }) { first, _ in first }))
            }
            services.append(FarService(uuid: service.uuid, characteristics: characteristics))
        }
        return services
    }

    /// Waits for the platform to report a change of the database.
    ///
    /// - Returns: Nil: the platform does not report the handles.
    /// - Throws: A ``ConformanceFailure`` without a connection or when it ends; `CancellationError`.
    public func serviceChange() async throws -> ClosedRange<AttributeID>? {
        var changes = try require(changes, "the connection")
        let change = await changes.next(isolation: self)
        try Task.checkCancellation()
        _ = try require(change, "a change")
        return nil
    }

    public func read(_ attribute: AttributeID) async throws -> Result<Bytes, ATTError> {
        try await outcome { () async throws(CharacteristicError) in
            if let descriptor = try self.descriptor(attribute) { return try await descriptor.read() }
            return try await self.characteristic(attribute).read()
        }
    }

    /// Writes a value.
    ///
    /// - Parameters:
    ///   - value: The value to write.
    ///   - attribute: The attribute that receives it.
    ///   - isCommand: False for a write with response, which is used for descriptors in every case; true for a command.
    /// - Returns: Success, or the ATT error with which the peer refused.
    /// - Throws: A ``ConformanceFailure`` if there is no such attribute; `CharacteristicError` if the write failed for
    ///   any other reason.
    public func write(
        _ value: Bytes, to attribute: AttributeID, isCommand: Bool
    ) async throws -> Result<Void, ATTError> {
        try await outcome { () async throws(CharacteristicError) in
            if let descriptor = try self.descriptor(attribute) { return try await descriptor.write(value) }
            try await self.characteristic(attribute).write(
                value, kind: isCommand ? .withoutResponse : .withResponse)
        }
    }

    /// Subscribes to a characteristic, and keeps the values that come for ``received(from:count:)``.
    ///
    /// - Parameters:
    ///   - attribute: The characteristic to subscribe to.
    ///   - indications: Ignored: the platform chooses between notifications and indications.
    /// - Throws: A ``ConformanceFailure`` if there is no such characteristic; `CharacteristicError` if the subscription
    ///   fails.
    public func subscribe(to attribute: AttributeID, indications: Bool) async throws {
        let characteristic = try characteristic(attribute)
        // First the consumer, which is to lose nothing; then a hold, so that the end can be waited for.
        let values = try await characteristic.values(capacity: .unbounded)
        try await characteristic.startNotifying()
        subscriptions[attribute] = Subscription(values: values, iterator: values.makeAsyncIterator())
    }

    public func unsubscribe(from attribute: AttributeID) async throws {
        subscriptions[attribute] = nil
        try await characteristic(attribute).stopNotifying()
    }

    public func received(from attribute: AttributeID, count: Int) async throws -> [Bytes] {
        var subscription = try require(subscriptions[attribute], "the subscription")
        var received: [Bytes] = []
        while received.count < count, let value = await subscription.iterator.next(isolation: self) {
            received.append(value)
        }
        try Task.checkCancellation()
        return received
    }

    /// Pairs with the connected device.
    ///
    /// - Returns: Whether the pairing succeeded; false for `PeripheralError.pairingFailed`.
    /// - Throws: A ``ConformanceFailure`` without a connection; any other `PeripheralError`.
    public func pair() async throws -> Bool {
        do throws(PeripheralError) {
            try await connected().pair()
            return true
        } catch {
            guard case .pairingFailed = error else { throw error }
            return false
        }
    }

    public func disconnect() async throws {
        subscriptions = [:]
        changes = nil
        await peripheral?.disconnect()
        peripheral = nil
    }

    // MARK: Looking up

    private func connected() throws(PeripheralError) -> Peripheral {
        guard let peripheral else { throw .disconnected }
        return peripheral
    }

    private var characteristics: [Characteristic] { peripheral?.services.flatMap(\.characteristics) ?? [] }

    private func characteristic(_ id: AttributeID) throws(CharacteristicError) -> Characteristic {
        guard let found = characteristics.first(where: { $0.id == id }) else { throw .disconnected }
        return found
    }

    private func descriptor(_ id: AttributeID) throws(CharacteristicError) -> Descriptor? {
        characteristics.flatMap(\.descriptors).first { $0.id == id }
    }

    /// The ATT error is an outcome; any other error is a failure of the far side.
    private func outcome<Value: Sendable>(
        _ operation: () async throws(CharacteristicError) -> Value
    ) async throws -> Result<Value, ATTError> {
        do throws(CharacteristicError) {
            return .success(try await operation())
        } catch .att(let error) {
            return .failure(error)
        }
    }
}
