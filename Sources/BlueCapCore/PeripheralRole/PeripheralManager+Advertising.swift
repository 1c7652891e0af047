// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension PeripheralManager {
    /// Advertises a name and services; as ``startAdvertising(_:timeout:)-(Advertisement,_)``.
    ///
    /// - Parameters:
    ///   - name: The local name that centrals see; it counts towards the length of the packet.
    ///   - serviceUUIDs: The services that centrals may scan for.
    ///   - timeout: How long it may take to get on the air, from the call; nil for as long as the platform waits.
    /// - Throws: As ``startAdvertising(_:timeout:)-(Advertisement,_)``.
    public func startAdvertising(
        _ name: String, serviceUUIDs: [BluetoothUUID] = [], timeout: Duration? = nil
    ) async throws(PeripheralManagerError) {
        let advertisement = Advertisement(localName: name, serviceUUIDs: serviceUUIDs)
        try await startAdvertising(advertisement, timeout: timeout)
    }

    /// Puts the manager's advertisement on the air, and returns when it is.
    ///
    /// A call with the same advertisement as one that is under way shares its result; when the last such caller gives
    /// up, the advertisement is stopped. It stays on the air, over the end of the power too, until
    /// ``stopAdvertising(timeout:)``, or until its own ``Advertisement/timeout`` is over.
    ///
    /// - Parameters:
    ///   - advertisement: The fields to advertise, and how they are sent.
    ///   - timeout: How long it may take to get on the air, from the call; nil for as long as the platform waits.
    /// - Throws: `.isAdvertising`; `.advertisementTooLong`, before the platform is asked;
    ///   `.advertisingOptionNotSupported`; `.startAdvertisingTimeout`; `.removed` when it is stopped meanwhile;
    ///   `.cancelled`; `.poweredOff`; `.invalidated`; `.unsupported`; `.backend`.
    public func startAdvertising(
        _ advertisement: Advertisement, timeout: Duration? = nil
    ) async throws(PeripheralManagerError) {
        if let refusal = refusalByRadio { throw PeripheralManagerError(refusal) }
        if Task.isCancelled { throw .cancelled }
        if let main = registrations.mainAdvertisement, let registration = registrations[.advertisement(main)],
            registration.isWanted
        {
            if registration.isEstablished || registration.advertisement != advertisement { throw .isAdvertising }
            try await waitUntilPresent(registration.id, timeout: timeout, timeoutError: .startAdvertisingTimeout)
            return
        }
        if !isFreeForAnother { throw .isAdvertising }
        try check(advertisement)
        let id = registrations.add(advertisement, isMain: true)
        try await waitUntilPresent(.advertisement(id), timeout: timeout, timeoutError: .startAdvertisingTimeout)
    }

    /// Puts a further advertisement on the air, beside that of ``startAdvertising(_:timeout:)-(Advertisement,_)`` and
    /// others of this method, and returns when it is.
    ///
    /// - Parameters:
    ///   - advertisement: The fields to advertise, and how they are sent.
    ///   - timeout: How long it may take to get on the air, from the call; nil for as long as the platform waits.
    /// - Returns: A handle by which it is changed and stopped.
    /// - Throws: `.severalAdvertisementsNotSupported` where the platform sends one at a time and there is one; else as
    ///   ``startAdvertising(_:timeout:)-(Advertisement,_)``.
    public func advertise(
        _ advertisement: Advertisement, timeout: Duration? = nil
    ) async throws(PeripheralManagerError) -> AdvertisementHandle {
        if let refusal = refusalByRadio { throw PeripheralManagerError(refusal) }
        if Task.isCancelled { throw .cancelled }
        if !isFreeForAnother { throw .severalAdvertisementsNotSupported }
        try check(advertisement)
        let id = registrations.add(advertisement)
        try await waitUntilPresent(.advertisement(id), timeout: timeout, timeoutError: .startAdvertisingTimeout)
        return AdvertisementHandle(id, manager: self)
    }

    /// Changes the fields of the manager's advertisement while it is on the air, without a gap where the platform can.
    ///
    /// It returns when the new fields are on the air. With an error the advertisement keeps its former fields.
    ///
    /// - Parameters:
    ///   - advertisement: Everything that it is to say; fields that are not set are not sent any more.
    ///   - timeout: How long the change may take, from the call; nil for as long as the platform waits.
    /// - Throws: `.notAdvertising`, `.advertisementTooLong`, `.advertisingOptionNotSupported`,
    ///   `.startAdvertisingTimeout` (the change may still come), `.removed`, `.cancelled`, `.poweredOff`,
    ///   `.invalidated`, `.backend`.
    public func updateAdvertisement(
        _ advertisement: Advertisement, timeout: Duration? = nil
    ) async throws(PeripheralManagerError) {
        if let refusal = refusalByRadio { throw PeripheralManagerError(refusal) }
        guard let main = registrations.mainAdvertisement else { throw .notAdvertising }
        try await update(main, advertisement, timeout: timeout)
    }

    /// Takes the manager's advertisement off the air, and returns when it is; at once when there is none. Those of
    /// ``advertise(_:timeout:)`` stay. While the radio is off it is only not put on the air again.
    ///
    /// - Throws: `.stopAdvertisingTimeout`, `.cancelled`, `.poweredOff`, `.backend`; it is not wanted any more then
    ///   either.
    public func stopAdvertising(timeout: Duration? = .seconds(10)) async throws(PeripheralManagerError) {
        if let main = registrations.mainAdvertisement { try await stop(main, timeout: timeout) }
    }

    // MARK: Any advertisement

    func update(
        _ id: AdvertisementID, _ advertisement: Advertisement, timeout: Duration?
    ) async throws(PeripheralManagerError) {
        if let refusal = refusalByRadio { throw PeripheralManagerError(refusal) }
        if Task.isCancelled { throw .cancelled }
        guard let registration = registrations[.advertisement(id)], registration.isWanted else { throw .notAdvertising }
        try check(advertisement)
        guard registration.advertisement?.secondaryPHY == advertisement.secondaryPHY else {
            throw .advertisingOptionNotSupported(.secondaryPHY)
        }
        let goal = registration.machine.change(to: .advertisement(id, advertisement))
        try await wait(for: goal, of: registration.id, timeout: timeout, timeoutError: .startAdvertisingTimeout)
    }

    func stop(_ id: AdvertisementID, timeout: Duration?) async throws(PeripheralManagerError) {
        registrations.withdraw(.advertisement(id), .removed, self)
        try await waitUntilAbsent(.advertisement(id), timeout: timeout, timeoutError: .stopAdvertisingTimeout)
    }

    /// Whether the platform has room for one more beside the wanted advertisements.
    private var isFreeForAnother: Bool {
        backend.features.contains(.severalAdvertisements)
            || !registrations.all.contains { $0.service == nil && $0.isWanted }
    }

    private func check(_ advertisement: Advertisement) throws(PeripheralManagerError) {
        if let refusal = refusal(of: advertisement) { throw refusal }
    }

    /// The reason for which the platform would not be asked for an advertisement; nil where it would.
    package func refusal(of advertisement: Advertisement) -> PeripheralManagerError? {
        if let option = advertisement.impossibleOption ?? backend.unsupportedOption(of: advertisement) {
            return .advertisingOptionNotSupported(option)
        }
        return backend.excessByteCount(of: advertisement).map { .advertisementTooLong(excess: $0) }
    }
}

/// Names of the first BlueCap, for the compiler to say what they are called now.
extension PeripheralManager {
    /// The old name of ``states()``.
    @available(*, unavailable, renamed: "states()")
    public nonisolated func whenStateChanges() {}

    /// The UUIDs are an argument of ``startAdvertising(_:serviceUUIDs:timeout:)``.
    ///
    /// - Parameters:
    ///   - name: The local name that centrals see.
    ///   - uuids: The services that centrals may scan for.
    @available(*, unavailable, message: "call startAdvertising(_:serviceUUIDs:timeout:)")
    public nonisolated func startAdvertising(_ name: String, uuids: [BluetoothUUID]) {}
}
