// SPDX-License-Identifier: MIT

import BlueCap

/// Restoring the device that the preceding program offered.
extension EmulateServicesSession {
    /// Restores the device that the preceding program offered, if it equals the wanted device; else removes it.
    ///
    /// A program that ended before it advertised has left only services, which are restored, too.
    func restored(
        like wanted: EmulatedServices, _ advertisement: Advertisement
    ) async throws -> EmulatedServices? {
        var state: RestoredPeripheralState?
        do throws(PeripheralManagerError) {
            state = try await manager.restoredState()
        } catch {
            // Another program has the journal, or it is damaged: the device is new to its centrals then.
            if error == .cancelled { throw error }
            progress("bluecap: \(error)")
        }
        guard let state else { return nil }
        if [nil, advertisement].contains(state.advertisement), state.advertisements.isEmpty,
            let device = EmulatedServices(state.services, insteadOf: wanted)
        {
            return device
        }
        progress("what was offered under this name before is another device: it is not taken up")
        await manager.reset()
        return nil
    }

    /// Returns when the restored services are there again, and advertised. The manager advertises once each of the
    /// services is there or was refused.
    ///
    /// - Parameters:
    ///   - advertisement: The advertisement of the device.
    ///   - events: The events of advertisements since before the radio was on.
    ///   - failures: The failures since then.
    /// - Throws: Why one of them is not offered again.
    func advertiseAgain(
        _ advertisement: Advertisement, following events: AsyncStream<AdvertisingEvent>,
        _ failures: AsyncStream<RegistrationFailure>
    ) async throws {
        let (manager, clock) = (manager, clock)
        try await Race.run(
            { for await failure in failures { throw failure.error } },
            {
                do throws(PeripheralManagerError) {
                    try await manager.startAdvertising(advertisement, timeout: .seconds(10))
                } catch {
                    // The advertisement was restored with the services.
                    guard error == .isAdvertising else { throw error }
                    if manager.isAdvertising { return }
                    for await event in events where event.kind == .started { return }
                    try Task.checkCancellation()
                }
            },
            {
                try await clock.sleep(for: .seconds(10))
                throw PeripheralManagerError.startAdvertisingTimeout
            })
    }
}
