// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// The facts and the streams of a peripheral manager, which may be read on any thread.
struct PublishedPeripheralState: Sendable {
    struct Facts {
        var services: [MutableService] = []
        var characteristics: [MutableCharacteristic] = []
        var onAir: Set<AdvertisementID> = []
        var centrals: [Central] = []
        var linkStatistics = CentralLinkStatistics()
        /// When the links that stand were made, on the manager's clock.
        var linkBeginnings: [Duration] = []
    }

    let facts = Locked(Facts())
    /// The number of replies that no caller waited for.
    let unclaimed = Locked(0)
    let channelCounts = Locked(ChannelTotals())
    let subscriptions = Multicaster<SubscriptionEvent>(replay: .none)
    let centralEvents = Multicaster<CentralLinkEvent>(replay: .none)
    let writes = Multicaster<WriteRequest>(replay: .none) { $0.ticket.droppedByStream() }
    let advertisingEvents = Multicaster<AdvertisingEvent>(replay: .none)
    let failures = Multicaster<RegistrationFailure>(replay: .untilFirstConsumer(limit: 64))

    func finish() {
        subscriptions.finish()
        centralEvents.finish()
        writes.finish()
        advertisingEvents.finish()
        failures.finish()
    }
}
