// SPDX-License-Identifier: MIT

#if ESPHome
import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe

/// One link of a client, from the attempt to connect to its end: it carries out the client's requests one after the
/// other, as the link itself does.
///
/// The manager knows how to wait, to give up and to share the link; a run only asks.
struct LinkRun: Sendable {
    /// How long an attempt to connect may take, the reading of the database after it, and each request then. Clients
    /// wait for 30 seconds.
    private static let timeout = (
        attempt: Duration.seconds(20), discovery: Duration.seconds(30), request: Duration.seconds(30)
    )
    /// How many requests wait.
    private static let capacity = 256

    let address: UInt64
    let number: Int
    private let central: CentralManager
    private let server: ProxyServer
    /// Whether the client knows the database: it learns of the link before the database is read again.
    private let hasCache: Bool
    private let ending = Ending()
    private let requests = AsyncStream.makeStream(of: LinkRequest.self, bufferingPolicy: .bufferingOldest(capacity))
    /// Why the link ends, unless this side lets it go.
    private let reason = Locked(ProxyCode.notEstablished)

    init(_ address: UInt64, _ number: Int, hasCache: Bool, _ central: CentralManager, _ server: ProxyServer) {
        (self.address, self.number, self.hasCache) = (address, number, hasCache)
        (self.central, self.server) = (central, server)
    }

    /// Takes a request.
    ///
    /// - Returns: False where too many of them wait.
    func take(_ request: LinkRequest) -> Bool {
        if case .enqueued = requests.continuation.yield(request) { true } else { false }
    }

    /// Makes ``run()`` let the device go and return.
    func end() { ending.end() }

    func run() async {
        await ending.whileOpen(connect)
        requests.continuation.finish()
        let left = await requests.stream.reduce(into: [LinkRequest]()) { $0.append($1) }
        await server.linkEnded(self, reason.withLock { $0 }, unanswered: left)
    }

    private func connect() async {
        do {
            let peripheral = try await central.peripheral(at: address)
            let changes = peripheral.serviceChanges()
            try await peripheral.stayConnected(.never, timeout: Self.timeout.attempt) { peripheral in
                try await visit(peripheral, changes)
            }
        } catch {}
        if Task.isCancelled { reason.withLock { $0 = ProxyCode.local } }
    }

    private func visit(_ peripheral: Peripheral, _ changes: AsyncStream<[BluetoothUUID]>) async throws {
        reason.withLock { $0 = ProxyCode.failed }
        // A change that comes with the connection concerns the database that a client has kept.
        let changes = hasCache ? changes : peripheral.serviceChanges()
        if hasCache { await comeUp(peripheral) }
        try await peripheral.discover(timeout: Self.timeout.discovery)
        for characteristic in peripheral.services.flatMap(\.characteristics) {
            try await characteristic.discoverDescriptors(timeout: Self.timeout.discovery)
        }
        let table = HandleTable(peripheral.services)
        if !hasCache { await comeUp(peripheral) }
        await withDiscardingTaskGroup { group in
            // Clients keep a database that they have read.
            group.addTask { for await _ in changes { return ending.end() } }
            var subscriptions: [UInt32: Ending] = [:]
            for await request in requests.stream {
                let listening = await obey(request, table, peripheral, &subscriptions)
                if let listening { group.addTask { await listening() } }
            }
            group.cancelAll()
        }
    }

    private func comeUp(_ peripheral: Peripheral) async {
        reason.withLock { $0 = ProxyCode.lost }
        await server.linkIsUp(self, UInt32(clamping: peripheral.maximumTransmissionUnit ?? 23))
    }

    // MARK: Requests

    /// - Returns: The work of listening to a characteristic, if that begins.
    private func obey(
        _ request: LinkRequest, _ table: HandleTable, _ peripheral: Peripheral, _ subscriptions: inout [UInt32: Ending]
    ) async -> (@Sendable () async -> Void)? {
        do {
            switch request {
            case .services(let usesShortUUIDs):
                let messages = table.messages(address, usesShortUUIDs: usesShortUUIDs)
                // Clients keep the list that the last message ends: one with a part that fits into no frame has no end.
                guard messages.allSatisfy({ $0.encoded.count <= Frame.longestBody }) else {
                    await answer(request.failure(address, Int32(ATTError.insufficientResources.rawValue)))
                    return nil
                }
                for message in messages { await answer(message) }
                await answer(ServicesDoneResponse(address))
            case .read(let handle):
                let data = try await read(try table.attribute(handle), subscriptions.keys.contains)
                await answer(ReadResponse(address, handle, data))
            case .write(let handle, let data, let needsResponse):
                try await write(data, to: try table.attribute(handle), needsResponse)
                await answer(WriteResponse(address, handle))
            case .notify(let handle, let isOn):
                guard case .characteristic(let characteristic) = try table.attribute(handle) else {
                    throw CharacteristicError.notifyNotSupported
                }
                subscriptions.removeValue(forKey: handle)?.end()
                let listening = isOn ? try await listen(to: characteristic, handle) : nil
                subscriptions[handle] = listening?.ending
                await answer(NotifyResponse(address, handle))
                return listening?.work
            case .pair:
                try await peripheral.pair(timeout: Self.timeout.request)
                await answer(PairingResponse(address, isDone: true))
            }
        } catch {
            let code = (error as? CharacteristicError).map(ProxyCode.of) ?? Int32(ATTError.unlikelyError.rawValue)
            await answer(request.failure(address, code))
        }
        return nil
    }

    private func answer(_ message: any APIMessage) async { await server.answer(message, of: self) }

    private func read(_ attribute: HandleTable.Attribute, _ isListening: (UInt32) -> Bool) async throws -> [UInt8] {
        switch attribute {
        case .characteristic(let characteristic):
            return Array(try await characteristic.read(timeout: Self.timeout.request))
        case .descriptor(let descriptor): return Array(try await descriptor.read(timeout: Self.timeout.request))
        case .configuration(let characteristic, let handle):
            return isListening(handle) ? [characteristic.properties.contains(.notify) ? 1 : 2, 0] : [0, 0]
        }
    }

    private func write(_ data: [UInt8], to attribute: HandleTable.Attribute, _ needsResponse: Bool) async throws {
        switch attribute {
        case .characteristic(let characteristic):
            try await characteristic.write(
                Bytes(data), kind: needsResponse ? .withResponse : .withoutResponse, timeout: Self.timeout.request)
        case .descriptor(let descriptor): try await descriptor.write(Bytes(data), timeout: Self.timeout.request)
        // Listening has switched it, or will; platforms do not let it be written.
        case .configuration: break
        }
    }

    /// Switches a characteristic on.
    ///
    /// - Returns: The work of passing its values on, and its end.
    private func listen(
        to characteristic: Characteristic, _ handle: UInt32
    ) async throws(CharacteristicError) -> (ending: Ending, work: @Sendable () async -> Void) {
        let values = try await characteristic.notifications(timeout: Self.timeout.request)
        let ending = Ending()
        return (ending, { [self] in await ending.whileOpen { await pass(values, handle) } })
    }

    private func pass(_ values: Notifications, _ handle: UInt32) async {
        // The end of the link ends the values, and is reported by itself.
        do {
            for try await value in values {
                await server.answer(NotifiedValueResponse(address, handle, Array(value)), of: self)
            }
        } catch {}
    }
}

extension HandleTable {
    /// - Throws: `.att` for a handle that is none.
    func attribute(_ handle: UInt32) throws(CharacteristicError) -> Attribute {
        guard let attribute = self[handle] else { throw .att(.invalidHandle) }
        return attribute
    }
}

extension CentralManager {
    /// The peripheral with an address, as far as this manager or the platform knows it.
    func peripheral(at address: UInt64) async throws -> Peripheral {
        let identifier = PeerIdentifier(address: address)
        if let known = peripheral(withIdentifier: identifier) { return known }
        if let hidden = peripherals.first(where: { DeviceAddress($0.identifier).number == address }) { return hidden }
        guard let kept = try await retrievePeripherals(withIdentifiers: [identifier], timeout: .seconds(10)).first
        else { throw PeripheralError.connectionTimeout }
        return kept
    }

    /// Removes the bond with a device: whether there was one, and it is gone.
    func removeBond(of address: UInt64) async -> Bool {
        guard let peripheral = try? await peripheral(at: address), peripheral.isBonded == true else { return false }
        do { try await peripheral.removeBond() } catch { return false }
        return true
    }
}
#endif
