// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import Testing

@testable import BlueCapSharedRadio

/// Every message as a frame. Those that the conformance suite's behaviours use are shown there to arrive as they were.
@Suite("Frames of a shared radio", .timeLimit(.minutes(60)))
struct FrameTests {
    /// A message of each kind, with fields that differ from their defaults.
    private static let frames: [[UInt8]] = {
        let peer: PeerIdentifier = "C0:DE:00:00:00:01"
        let attribute = AttributeID(handle: 3)
        let failure = BackendFailure(name: "A", message: "b", advice: "c", isTransient: true)
        var advertisement = Advertisement(localName: "Lamp", serviceUUIDs: ["180F"])
        advertisement.serviceData = ["180F": [1, 2]]
        advertisement.interval = .milliseconds(100)...(.milliseconds(200))
        let service = LocalService(
            id: attribute, uuid: "180F", handle: 7, includedServices: [attribute],
            characteristics: [
                LocalCharacteristic(
                    id: attribute, uuid: "2A19", properties: [.read, .notify], permissions: .readable,
                    descriptors: [LocalDescriptor(id: attribute, uuid: "2901", permissions: .readable, value: [7])])
            ])
        var sighting = Sighting(
            peripheral: peer, name: "Lamp",
            advertisements: PeripheralAdvertisements(
                localName: "Lamp", manufacturerData: [0x4C: [1]], txPower: 4, isConnectable: true,
                serviceUUIDs: ["180F"], serviceData: ["180F": [1]], overflowServiceUUIDs: ["180A"],
                solicitedServiceUUIDs: ["1812"], appearance: 5, flags: .generalDiscoverable,
                structures: [ADStructure(type: 0xFF, data: [1])]), rssi: -50, isBonded: true)
        sighting.hasRandomAddress = true
        let passive = ScanMode.passive(
            patterns: [AdvertisingPattern(type: 0xFF, content: [0x4C, 0], start: 1)],
            signal: SignalThresholds(high: -60, low: -70, samplingPeriod: .milliseconds(300)))
        let found = DiscoveredService(id: attribute, uuid: "180F")
        let (id, prompt) = (RequestID(rawValue: 9), PairingPromptID(rawValue: 4))
        let central = Central(identifier: peer, maximumUpdateLength: 20, security: .authenticated)
        let operations: [CentralOperation] = [
            .retrieve([peer]), .retrieveConnected(services: ["180F"]), .readRSSI(peer), .discoverServices(peer, nil),
            .discoverIncludedServices(peer, service: attribute, ["180F"]),
            .discoverCharacteristics(peer, service: attribute, ["2A19"]),
            .discoverDescriptors(peer, characteristic: attribute), .read(peer, attribute),
            .write(peer, attribute, [1, 2], .withoutResponse), .setNotifying(peer, attribute, true, .socket),
            .pair(peer), .cancelPairing(peer), .removeBond(peer),
        ]
        let parameters = try? ConnectionParameters(interval: .milliseconds(15)...(.milliseconds(30)), latency: 2)
        let timing = parameters.map { CentralOperation.setConnectionParameters(peer, $0) }
        let offers: [PeripheralOperation] = [
            .add(service), .remove(attribute), .advertise(AdvertisementID(rawValue: 1), advertisement),
            .updateAdvertisement(AdvertisementID(rawValue: 1), advertisement),
            .stopAdvertising(AdvertisementID(rawValue: 1)), .update(attribute, [1], central: peer),
            .disconnect(peer, .lowResources),
        ]
        let messages: [GuestMessage] =
            [
                .scan(nil),
                .scan(
                    ScanRequest(services: ["180F", "180A"], allowsDuplicates: true, modes: [.everyPacket, passive])),
                .connect(peer),
                .disconnect(peer), .setPairingCapability(nil), .setPairingCapability(.keyboardDisplay),
                .answerPairing(prompt, .accept), .answerPairing(prompt, .passkey(123_456)),
                .answerPairing(prompt, .reject), .respond(AccessID(rawValue: 1), .success([1])),
                .respond(AccessID(rawValue: 1), .failure(.invalidOffset)),
            ] + (operations + [timing].compactMap(\.self)).map { .perform(CentralRequest(id: id, operation: $0)) }
            + offers.map { .offer(PeripheralRequest(id: id, operation: $0)) }
        let failures: [OperationFailure] = [
            .att(.invalidHandle), .disconnected, .poweredOff, .unsupported, .rssiUnavailable,
            .advertisingOption(.scanResponse), .pairing(.timeout), .backend(failure),
            .valueTooLong(count: 21, maximum: 20),
        ]
        let replies: [CentralReply] = [
            .done, .value([1]), .rssi(-60), .services([found]), .parameters(.now), .parameters(.nextConnection),
            .characteristics([DiscoveredCharacteristic(id: attribute, uuid: "2A19", properties: .read)]),
            .descriptors([DiscoveredDescriptor(id: attribute, uuid: "2901")]),
            .peripherals([KnownPeripheral(id: peer, name: "Lamp", isConnected: true, isBonded: false)]),
        ]
        let kinds: [PairingRequest.Kind] = [
            .confirm(passkey: 1), .enterPasskey, .displayPasskey(999_999), .authorize, .authorizeService("180F"),
        ]
        let events: [CentralEvent] =
            [
                .stateChanged(.unsupported, failure), .sighted(sighting), .sightingsCoalesced(true),
                .restored(CentralRestoration()), .scanFailed(.unsupported), .peripheralHeard(peer),
                .scanModeRefused(.everyPacket, failure), .matched(sighting, passive), .matchLost(peer, passive),
                .connected(peer, maximumTransmissionUnit: 185), .connectFailed(peer, .disconnected),
                .disconnected(peer, failure), .maximumTransmissionUnitChanged(peer, 23), .nameChanged(peer, "é"),
                .servicesChanged(peer, invalidated: [attribute]), .servicesChanged(peer, invalidated: []),
                .servicesChanged(peer, invalidated: nil), .valueChanged(peer, attribute, [1]),
                .notifyingStopped(peer, attribute, .unsupported), .valuesDropped(peer, attribute, count: 3),
                .bondChanged(peer, true), .pairingRequestEnded(prompt), .pairingUnavailable(failure),
            ] + replies.map { .reply(id, .success($0)) } + failures.map { .reply(id, .failure($0)) }
            + kinds.map { .pairingRequested(PairingPrompt(id: prompt, peer: peer, kind: $0)) }
        let access = AccessID(rawValue: 7)
        let localEvents: [PeripheralEvent] = [
            .stateChanged(.poweredOn, nil), .restored(PeripheralRestoration()),
            .servicePlaced(attribute, handle: 5), .registrationsLost,
            .access(AttributeAccess(id: access, attribute: attribute, central: central, kind: .read(offset: 20))),
            .access(
                AttributeAccess(
                    id: access, attribute: attribute, central: nil, kind: .write([1], offset: 2, .prepared))),
            .accessCancelled(access), .subscribed(attribute, central), .subscriberChanged(attribute, central),
            .unsubscribed(attribute, central), .advertisingEnded(AdvertisementID(rawValue: 1), failure),
            .pairingRequested(PairingPrompt(id: prompt, peer: peer, kind: .enterPasskey)),
            .pairingRequestEnded(prompt), .pairingUnavailable(failure), .reply(id, .success(())),
            .reply(id, .failure(.disconnected)), .centralConnected(central), .centralChanged(peer, central),
            .centralDisconnected(peer, failure, prepared: [attribute: 2]),
        ]
        let channel = ChannelID(rawValue: 5)
        let opened = OpenedChannel(
            id: channel, peer: peer, psm: 0x81, maximumSendLength: 672, maximumReceiveLength: 2_048)
        let channelOperations: [ChannelOperation] = [
            .open(peer, psm: 0x25, isEncrypted: true, maximumReceiveLength: 512),
            .publish(psm: nil, isEncrypted: false, maximumReceiveLength: 23),
            .publish(psm: 0x80, isEncrypted: true, maximumReceiveLength: 65_535), .send(channel, [1, 2]),
        ]
        let commands: [GuestMessage] =
            [.allow(channel, count: 8), .close(channel), .withdraw(psm: 0x81)].map { .command($0) }
            + channelOperations.map { .performOnChannels(ChannelRequest(id: id, operation: $0)) }
        let channelErrors: [ChannelError] = [
            .channelsNotSupported, .psmOutOfRange(256), .psmTaken(0x80), .emptyUnit,
            .unitTooLong(count: 24, maximum: 23), .tooManyChannels, .refused(nil), .refused(.noResources), .openTimeout,
            .publishTimeout, .closed, .peerExceededCredits, .peerExceededLength, .endedEarly(count: 3),
            .noDelimiter(maximum: 10), .pairingFailed(.rejected), .disconnected, .poweredOff, .invalidated, .cancelled,
            .backend(failure),
        ]
        let channelReplies: [ChannelReply] = [.opened(opened), .published(psm: 0x80), .done]
        let channelEvents: [ChannelEvent] =
            [.accepted(opened), .received(channel, [1]), .closed(channel, nil), .closed(channel, .peerExceededLength)]
            + channelReplies.map { .reply(id, .success($0)) } + channelErrors.map { .reply(id, .failure($0)) }
        return [Frame.encode(GuestHello(role: .peripheral, address: peer.text))].compactMap(\.self)
            + messages.compactMap { Frame.encode($0) } + events.compactMap { Frame.encode(HostMessage.event($0)) }
            + commands.compactMap { Frame.encode($0) }
            + channelEvents.compactMap { Frame.encode(HostMessage<CentralEvent>.channels($0)) }
            + localEvents.compactMap { Frame.encode(HostMessage.event($0)) }
            + [Frame.encode(HostMessage<CentralEvent>.refused(failure))].compactMap(\.self)
    }()

    /// The frame of the message that a frame is, for each way of reading it.
    private static func readings(_ frame: [UInt8]) -> [[UInt8]] {
        [
            (try? Frame.decode(GuestHello.self, from: frame)).flatMap { Frame.encode($0) },
            (try? Frame.decode(GuestMessage.self, from: frame)).flatMap { Frame.encode($0) },
            (try? Frame.decode(HostMessage<CentralEvent>.self, from: frame)).flatMap { Frame.encode($0) },
            (try? Frame.decode(HostMessage<PeripheralEvent>.self, from: frame)).flatMap { Frame.encode($0) },
        ].compactMap(\.self)
    }

    @Test func `every message is read as it was written`() {
        #expect(Self.frames.count == 134)
        for frame in Self.frames { #expect(Self.readings(frame).contains(frame)) }
    }

    @Test func `a frame without its end, or with more, is none of its messages`() {
        for frame in Self.frames {
            for length in 0..<frame.count {
                #expect(!Self.readings(Array(frame.prefix(length))).contains(frame))
            }
            #expect(!Self.readings(frame + [0]).contains(frame))
        }
    }

    @Test func `no byte of a frame makes its reader trap`() {
        for frame in Self.frames {
            for place in frame.indices {
                for value: UInt8 in [0, 1, 2, 0x7F, 0x80, 0xFF] where frame[place] != value {
                    var changed = frame
                    changed[place] = value
                    // What is read is written again without a trap, too.
                    _ = Self.readings(changed)
                }
            }
        }
    }

    @Test func `a stream is cut into its frames wherever it is torn`() throws {
        let stream = Self.frames.flatMap { Stranger.frame($0) }
        for size in [1, 3, 64, stream.count] {
            var (splitter, found) = (FrameSplitter(), [[UInt8]]())
            for start in stride(from: 0, to: stream.count, by: size) {
                splitter.append(stream[start..<min(start + size, stream.count)])
                while let frame = try splitter.next() { found.append(frame) }
            }
            #expect(found == Self.frames)
        }
    }

    @Test func `a message that no frame has room for is not sent`() {
        let value = Bytes([UInt8](repeating: 0, count: Frame.maximumByteCount))
        #expect(Frame.encode(GuestMessage.respond(AccessID(rawValue: 1), .success(value))) == nil)
        var splitter = FrameSplitter()
        splitter.append([1, 0, 0x20, 0])
        #expect(throws: JournalFailure.self) { try splitter.next() }
    }
}
