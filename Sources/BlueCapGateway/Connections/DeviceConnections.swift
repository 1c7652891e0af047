// SPDX-License-Identifier: MIT

#if Gateway
package import BlueCapCore
package import BlueCapRuntime

/// The connections of a gateway: to the devices whose rules have `connect`, within a group as far as it owns them.
package actor DeviceConnections {
    /// How often the rules and the owner of each device are looked at.
    private static let pause = Duration.milliseconds(500)
    private static let crowded = "no gateway of the group has a connection left for it: raise 'connections'"
    /// A device has no more reasons than these.
    private static let maximumReasons = 16

    private let central: CentralManager
    private let gateway: DeviceGateway
    private let tools: ConnectionTools
    private let clock: BlueCapClock
    private let slots: ConnectionSlots
    private var links: [PeerIdentifier: RuledConnection] = [:]
    /// The reasons that were reported of devices with a link, and of devices that get no connection.
    private var reported: [PeerIdentifier: Set<String>] = [:]
    /// The devices that were read, and have not failed since.
    private var succeeding: Set<PeerIdentifier> = []
    private var refusals: Set<SetCommand.Refusal> = []
    private var counts = LinkCounts()
    package private(set) var levels = LinkLevels()

    /// - Parameters:
    ///   - central: The radio.
    ///   - gateway: The owner of the rules and of the list of events, which takes the values.
    ///   - tools: How values are written and errors explained.
    ///   - limit: How many connections there are at once.
    ///   - clock: The clock of the radio.
    package init(
        central: CentralManager, gateway: DeviceGateway, tools: ConnectionTools, limit: Int, clock: BlueCapClock
    ) {
        (self.central, self.gateway, self.tools, self.clock) = (central, gateway, tools, clock)
        slots = ConnectionSlots(count: limit)
    }

    package var statistics: LinkCounts { counts }

    /// Takes another number of connections that there may be at once.
    package nonisolated func adopt(limit: Int) { slots.resize(to: limit) }

    /// Connects to devices until the task is cancelled.
    ///
    /// A device whose rule stays the same keeps its connection, whatever becomes of other rules.
    package func run() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                let wanted = await gateway.connections
                levels.wanted = wanted.values.count(where: \.isLasting)
                for (device, link) in links where wanted[device] != link.rule { link.end() }
                for (device, rule) in wanted.sorted(by: { $0.key < $1.key }) where links[device] == nil {
                    // A device is known from the moment at which it is heard.
                    guard let peripheral = central.peripheral(withIdentifier: device) else { continue }
                    let link = RuledConnection(peripheral, rule, gateway, slots, tools, clock: clock) {
                        [weak self] event in await self?.take(event)
                    }
                    links[device] = link
                    group.addTask {
                        await link.run()
                        await self.forget(device)
                    }
                }
                let crowded = Set(await gateway.crowded)
                reported = reported.filter { links[$0.key] != nil || crowded.contains($0.key) }
                for device in crowded where reported[device]?.contains(Self.crowded) != true {
                    take(.linkFailed(device, Self.crowded))
                }
                do { try await clock.sleep(for: Self.pause) } catch { break }
            }
            group.cancelAll()
        }
    }

    private func forget(_ device: PeerIdentifier) {
        links[device] = nil
        reported[device] = nil
        succeeding.remove(device)
    }

    // MARK: Commands

    /// Takes a message of ``GatewayPlan/setFilter``.
    package func obey(_ message: BrokerMessage) async {
        // That removes a command which the broker has kept.
        if message.payload.isEmpty { return }
        do throws(SetCommand.Refusal) {
            if message.isRetained { throw .retained }
            guard let found = await gateway.connection(commandedBy: message.topic), !found.rule.write.isEmpty else {
                throw .unknownDevice
            }
            // Each gateway of a group gets the command, and the owner of the device carries it out.
            guard found.isOwn else { return }
            let command = try SetCommand(message.payload, allowed: found.rule.write)
            guard let link = links[found.device] else { throw .unheard }
            // The link of the new rule comes soon.
            guard link.rule == found.rule else { throw .changing }
            guard link.take(command) else { throw .busy }
        } catch {
            refuse(error)
        }
    }

    /// Takes a message of the topics for commands that was too long to be received.
    package func refuseOversized() { refuse(.oversized) }

    private func refuse(_ refusal: SetCommand.Refusal) {
        counts.refused += 1
        if refusals.insert(refusal).inserted { gateway.events.push(.commandRefused(refusal.rawValue)) }
    }

    private func take(_ event: GatewayEvent) {
        switch event {
        case .linkRead(let device):
            guard succeeding.insert(device).inserted else { return }
        case .linkFailed(let device, let reason):
            counts.failures += 1
            guard reported[device, default: []].count < Self.maximumReasons,
                reported[device, default: []].insert(reason).inserted
            else { return }
            succeeding.remove(device)
        case .written: counts.written += 1
        case .notWritten: counts.notWritten += 1
        case .linked: levels.connected += 1
        case .unlinked: levels.connected -= 1
        default: break
        }
        gateway.events.push(event)
    }
}
#endif
