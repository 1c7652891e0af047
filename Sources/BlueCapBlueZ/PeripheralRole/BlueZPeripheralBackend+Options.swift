// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
public import BlueCapCore
import BlueCapDBus

// The parts of an advertisement that the daemon would ignore in silence.
extension BlueZPeripheralBackend {
    /// The interval and the power where this daemon ignores them, and two structures of one type: their properties are
    /// dictionaries by type, of which the daemon keeps the last of each. Whether it sends a scan response shows only
    /// when it is asked to.
    public nonisolated func unsupportedOption(of advertisement: Advertisement) -> AdvertisingOption? {
        let limits = limits.withLock { $0 }
        if advertisement.interval != nil, !limits.hasIntervals { return .interval }
        if advertisement.txPower != nil, !limits.hasTxPower { return .txPower }
        let repeats = [advertisement.structures, advertisement.scanResponse].contains { structures in
            Set(structures.map(\.type)).count < structures.count
        }
        return repeats ? .structuresOfOneType : nil
    }

    /// Goes on with an advertisement that the daemon takes as it is; refuses any other. The daemon may have been
    /// replaced since the manager asked.
    func whenPossible(
        _ advertisement: Advertisement, _ request: RequestID,
        _ body: @escaping @Sendable (isolated BlueZPeripheralBackend) -> Void
    ) {
        if let option = unsupportedOption(of: advertisement) {
            return reply(request, .failure(.advertisingOption(option)))
        }
        guard !advertisement.scanResponse.isEmpty else { return body(self) }
        if let scanResponses, scanResponses.generation == registrar.generation {
            return scanResponses.areTaken ? body(self) : reply(request, .failure(.advertisingOption(.scanResponse)))
        }
        tryScanResponse(request, body)
    }

    /// Registers an advertisement whose `ScanResponseData` is not of its type: a daemon that knows the property (5.80)
    /// cannot parse it; any other takes it, and it is removed at once. Nothing on the bus shows the daemon's version.
    private func tryScanResponse(
        _ request: RequestID, _ body: @escaping @Sendable (isolated BlueZPeripheralBackend) -> Void
    ) {
        guard let link = session?.link else { return reply(request, .failure(.poweredOff)) }
        let path = "\(rootPath)/trial\(request.rawValue)"
        // The appearance 0 means an unknown one.
        let properties: [(name: String, value: DBusValue)] = [
            ("Type", .string("broadcast")), ("Appearance", .uint16(0)), ("ScanResponseData", .string("")),
        ]
        var interface = ExportedInterface(BlueZInterface.advertisement)
        for (name, value) in properties { interface.property(name, value.signature) { value } }
        interface.method("Release", onCall { _, call in call.reply() })
        do throws(DBusError) {
            try link.export([interface], at: path)
        } catch {
            return reply(request, .failure(.backend(BlueZFailure.failure(error))))
        }
        registrar.register(path, with: BlueZInterface.advertisingManager, "RegisterAdvertisement", self) { backend, result in
            switch result {
            case .failure(.remote(BlueZError.failed, Self.unreadable)):
                backend.session?.link?.unexport(at: path)
                backend.scanResponses = (backend.registrar.generation, true)
                body(backend)
            case .failure(let error):
                backend.session?.link?.unexport(at: path)
                backend.emit(.reply(request, .failure(BlueZFailure.registering(error))))
            case .success:
                backend.scanResponses = (backend.registrar.generation, false)
                backend.call(BlueZInterface.advertisingManager, "UnregisterAdvertisement", [.objectPath(path)]) {
                    backend, _ in
                    backend.session?.link?.unexport(at: path)
                    backend.emit(.reply(request, .failure(.advertisingOption(.scanResponse))))
                }
            }
        }
    }

    /// The error text of `parse_advertisement` in BlueZ's `src/advertising.c`.
    private static let unreadable = "Failed to parse advertisement."
}
#endif
