// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe

/// The links of centrals to a manager: those that stand, and those that are ended because there are too many.
///
/// Where the platform reports no links, a central counts from its first subscription to the end of its last one.
/// Touched on the manager only.
final class CentralLinks {
    private struct Record {
        var central: Central
        let beginning: Duration
        var isEndedByApp = false
        /// Counted where the platform reports no links.
        var subscriptionCount = 0
    }

    private let published: PublishedPeripheralState
    private var records: OrderedTable<PeerIdentifier, Record> = [:]
    /// The centrals beyond the limit, until their links have ended.
    private var refused: Set<PeerIdentifier> = []
    private var limit: Int?

    init(_ published: PublishedPeripheralState, limit: Int?) {
        self.published = published
        self.limit = limit.map { max($0, 1) }
    }

    /// Changes the limit; links that stand are kept.
    func setLimit(_ limit: Int?) { self.limit = limit.map { max($0, 1) } }

    func isConnected(_ central: PeerIdentifier) -> Bool { records[central] != nil }

    func isRefused(_ central: Central?) -> Bool {
        guard let identifier = central?.identifier, !refused.isEmpty else { return false }
        return refused.contains(identifier)
    }

    // MARK: Events

    func connected(_ central: Central, _ owner: isolated some PeripheralOwner) {
        guard let identifier = central.identifier, !refused.contains(identifier) else { return }
        if records[identifier] != nil { return changed(identifier, to: central, owner) }
        if let limit, records.count >= limit { return refuse(central, identifier, limit: limit, owner) }
        begin(central, identifier, owner)
    }

    private func begin(_ central: Central, _ identifier: PeerIdentifier, _ owner: isolated some PeripheralOwner) {
        records[identifier] = Record(central: central, beginning: owner.clock.elapsed)
        publish { $0.connectionCount += 1 }
        owner.meter.centralConnected()
        owner.meter.change(.connectedCentrals, by: 1)
        owner.logger.debug("a central has connected", ["central": "\(identifier)"])
        emit(.connected, central)
    }

    /// Ends the link of a central for which there is no room.
    private func refuse(
        _ central: Central, _ identifier: PeerIdentifier, limit: Int, _ owner: isolated some PeripheralOwner
    ) {
        refused.insert(identifier)
        publish { $0.refusedCount += 1 }
        owner.meter.centralRefused()
        owner.logger.warning(
            "a central is refused, as there are as many as are allowed",
            ["central": "\(identifier)", "maximumCentrals": "\(limit)"])
        emit(.refused, central)
        owner.begin(.disconnect(identifier, .lowResources)) { owner, outcome in
            if case .failed(let failure) = outcome, failure != .disconnected {
                let error = PeripheralManagerError(failure)
                owner.logger.warning("the link of a refused central was not ended", ["failure": "\(error)"])
            }
        }
    }

    /// Takes new facts about a central; those that are not known now stay.
    func changed(_ identifier: PeerIdentifier, to central: Central, _ owner: isolated some PeripheralOwner) {
        let present = central.identifier ?? identifier
        if refused.remove(identifier) != nil { refused.insert(present) }
        guard var record = records[identifier] else { return }
        let merged = Central(
            identifier: present, maximumUpdateLength: central.maximumUpdateLength ?? record.central.maximumUpdateLength,
            security: central.security ?? record.central.security)
        if merged == record.central { return }
        record.central = merged
        if present != identifier {
            if records[present] != nil {
                // A link that is known by the new identifier already was another one, which is over.
                let count = owner.server.centralLeft(present, owner)
                end(present, .lost(nil), prepared: [:], openRequestCount: count, owner)
            }
            records[identifier] = nil
        }
        records[present] = record
        publish()
        if present != identifier {
            owner.server.centralRenamed(identifier, to: present)
            for characteristic in owner.registrations.database.characteristics {
                characteristic.gate?.centralRenamed(identifier, to: present)
            }
        }
        owner.updates.centralChanged(identifier, to: merged)
        emit(.changed, merged, previously: present == identifier ? nil : identifier)
    }

    /// A central reads, writes or subscribes: returns it with all that is known about it.
    func seen(_ central: Central, _ owner: isolated some PeripheralOwner) -> Central {
        guard let identifier = central.identifier, records[identifier] != nil else { return central }
        changed(identifier, to: central, owner)
        return records[identifier]?.central ?? central
    }

    func disconnected(
        _ identifier: PeerIdentifier, _ failure: BackendFailure?, prepared: [AttributeID: Int],
        _ owner: isolated some PeripheralOwner
    ) {
        if refused.remove(identifier) != nil { return }
        guard let record = records[identifier] else { return }
        let count = owner.server.centralLeft(identifier, owner)
        end(
            identifier, record.isEndedByApp ? .disconnected : .lost(failure), prepared: prepared,
            openRequestCount: count, owner)
    }

    func radioLost(_ reason: OperationFailure, _ owner: isolated some PeripheralOwner) {
        refused = []
        for identifier in records.keys {
            let count = owner.server.centralLeft(identifier, owner)
            end(identifier, .radioLost(PeripheralManagerError(reason)), prepared: [:], openRequestCount: count, owner)
        }
    }

    /// The manager has ended: the links are no more its own.
    func close(_ owner: isolated some PeripheralOwner) {
        let (count, now) = (records.count, owner.clock.elapsed)
        let durations = records.values.map { max(now - $0.beginning, .zero) }
        (records, refused) = ([:], [])
        publish { $0.finishedConnectedDuration += durations.reduce(.zero, +) }
        owner.meter.change(.connectedCentrals, by: -count)
    }

    private func end(
        _ identifier: PeerIdentifier, _ reason: CentralLinkEnd.Reason, prepared: [AttributeID: Int],
        openRequestCount: Int, _ owner: isolated some PeripheralOwner
    ) {
        guard let record = records.removeValue(forKey: identifier) else { return }
        let database = owner.registrations.database
        let writes = prepared.sorted { $0.key < $1.key }.compactMap { id, count in
            database.characteristic(at: id).map {
                CentralLinkEnd.PreparedWrite(characteristic: $0, partCount: count)
            }
        }
        let procedures = database.characteristics.filter { $0.gate?.isUnderWay(for: identifier) == true }
        let end = CentralLinkEnd(
            reason: reason, duration: max(owner.clock.elapsed - record.beginning, .zero), preparedWrites: writes,
            openRequestCount: openRequestCount, openProcedures: procedures)
        publish { statistics in
            if reason == .disconnected {
                statistics.forcedDisconnectionCount += 1
            } else {
                statistics.disconnectionCount += 1
            }
            statistics.abandonedRequestCount += openRequestCount
            statistics.abandonedWriteCount += writes.count
            statistics.abandonedProcedureCount += procedures.count
            statistics.finishedConnectedDuration += end.duration
        }
        owner.meter.change(.connectedCentrals, by: -1)
        owner.meter.abandoned(.request, openRequestCount)
        owner.meter.abandoned(.preparedWrite, writes.count)
        owner.meter.abandoned(.procedure, procedures.count)
        owner.logger.debug(
            "the link of a central has ended",
            ["central": "\(identifier)", "unfinished": "\(openRequestCount + writes.count + procedures.count)"])
        emit(.disconnected(end), record.central)
    }

    // MARK: The program's wishes

    /// The program ends a link.
    func willEnd(_ identifier: PeerIdentifier) { records[identifier]?.isEndedByApp = true }

    /// The platform did not end a link that the program wanted to end.
    func hasNotEnded(_ identifier: PeerIdentifier) { records[identifier]?.isEndedByApp = false }

    // MARK: Subscriptions, where the platform reports no links

    func subscribed(_ central: Central, _ owner: isolated some PeripheralOwner) {
        guard let identifier = central.identifier, !owner.reportsCentralLinks else { return }
        if records[identifier] == nil { begin(central, identifier, owner) }
        records[identifier]?.subscriptionCount += 1
    }

    func unsubscribed(_ central: Central, _ owner: isolated some PeripheralOwner) {
        guard let identifier = central.identifier, !owner.reportsCentralLinks, let record = records[identifier] else {
            return
        }
        records[identifier]?.subscriptionCount -= 1
        if record.subscriptionCount <= 1 { end(identifier, .lost(nil), prepared: [:], openRequestCount: 0, owner) }
    }

    // MARK: Telling

    private func emit(_ kind: CentralLinkEvent.Kind, _ central: Central, previously identifier: PeerIdentifier? = nil) {
        published.centralEvents.push(
            CentralLinkEvent(kind: kind, central: central, previousIdentifier: identifier))
    }

    /// Shows the links that stand to all threads, before their event is told.
    private func publish(_ count: (inout CentralLinkStatistics) -> Void = { _ in }) {
        let records = records.values
        published.facts.withLock { facts in
            facts.centrals = records.map(\.central)
            facts.linkBeginnings = records.map(\.beginning)
            count(&facts.linkStatistics)
        }
    }
}
