// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapDBus

// What of an advertisement the daemon would pass over in silence.
extension BlueZPeripheralBackend {
    /// Goes on with an advertisement of which the daemon takes everything; refuses any other.
    func whenPossible(
        _ advertisement: Advertisement, _ request: RequestID,
        _ body: @escaping @Sendable (isolated BlueZPeripheralBackend) -> Void
    ) {
        let limits = limits.withLock { $0 }
        if advertisement.interval != nil, !limits.hasIntervals { return refuse(.interval, request) }
        if advertisement.txPower != nil, !limits.hasTxPower { return refuse(.txPower, request) }
        // The properties are dictionaries by type, of which the daemon keeps the last of each.
        for structures in [advertisement.structures, advertisement.scanResponse]
        where Set(structures.map(\.type)).count < structures.count {
            return refuse(.structuresOfOneType, request)
        }
        guard !advertisement.scanResponse.isEmpty else { return body(self) }
        if let scanResponses, scanResponses.generation == generation {
            return scanResponses.areTaken ? body(self) : refuse(.scanResponse, request)
        }
        tryScanResponse(request, body)
    }

    private func refuse(_ option: AdvertisingOption, _ request: RequestID) {
        reply(request, .failure(.advertisingOption(option)))
    }

    /// Registers an advertisement whose `ScanResponseData` is not of its type: a daemon that knows the property (5.80) cannot
    /// parse it; any other takes it, and it is taken back at once. Nothing on the bus tells the daemon's version.
    private func tryScanResponse(
        _ request: RequestID, _ body: @escaping @Sendable (isolated BlueZPeripheralBackend) -> Void
    ) {
        guard let link = session?.link else { return reply(request, .failure(.poweredOff)) }
        let path = "\(rootPath)/trial\(request.rawValue)"
        // The appearance is the one that says nothing.
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
        register(path, with: BlueZInterface.advertisingManager, "RegisterAdvertisement") { backend, result in
            switch result {
            case .failure(.remote(BlueZError.failed, Self.unreadable)):
                backend.session?.link?.unexport(at: path)
                backend.scanResponses = (backend.generation, true)
                body(backend)
            case .failure(let error):
                backend.session?.link?.unexport(at: path)
                backend.emit(.reply(request, .failure(BlueZFailure.registering(error))))
            case .success:
                backend.scanResponses = (backend.generation, false)
                backend.call(BlueZInterface.advertisingManager, "UnregisterAdvertisement", [.objectPath(path)]) {
                    backend, _ in
                    backend.session?.link?.unexport(at: path)
                    backend.emit(.reply(request, .failure(.advertisingOption(.scanResponse))))
                }
            }
        }
    }

    /// What `parse_advertisement` in BlueZ's `src/advertising.c` answers.
    private static let unreadable = "Failed to parse advertisement."
}
#endif
