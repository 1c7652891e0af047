// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapCapture

/// Reads a capture, and shows the devices in it, the twin of one, or the values that passed.
struct TwinSession: Sendable {
    /// The capture, and the part of it to show.
    struct Plan: Sendable {
        var path: String
        /// An address or a name; nil for all devices.
        var device: String?
        var showsValues = false
        var isJSON = false
    }

    let plan: Plan
    let output: any LineOutput
    /// Takes warnings.
    var warn: @Sendable (String) -> Void = { report($0) }

    /// - Throws: ``CommandFailure`` with ``ToolStatus/usage`` where the capture cannot be read at all, or several
    ///   devices have the name; with ``ToolStatus/tryAgain`` where the device is not in it.
    func run() throws {
        var analysis = CaptureAnalysis()
        if let device = plan.device {
            // It is kept even where it is heard after as many others as are remembered.
            analysis.isWanted = { DeviceFinder.isDevice(device, $0, $1) }
        }
        let identities = try identities()
        var frames: [PeerIdentifier: [AdvertisedFrame]] = [:]
        try read(warnsOfDamage: true) { packet in
            let accesses = analysis.add(packet)
            guard plan.showsValues else { return }
            for device in analysis.sighted { try show(device, at: packet.time, in: analysis, identities, &frames) }
            try show(accesses, in: analysis, identities)
            try show(analysis.joined, in: analysis, identities)
        }
        // A private address names the device whose identity the capture shows.
        let device = plan.device.map { text in
            let (address, identity) = (PeerIdentifier(text), analysis.identity(of: PeerIdentifier(text)))
            return identity == address ? text : identity.text
        }
        // Devices left out do not matter if the plan names one device.
        let dropped = analysis.droppedCount - (plan.device == nil ? 0 : analysis.leftOutCount)
        if dropped > 0 {
            let what = plan.device == nil && !plan.showsValues ? "the list" : plan.showsValues ? "this" : "the twin"
            warn("\(TextLayout.count(dropped, "packet")) beyond what is remembered: \(what) is incomplete")
        }
        if plan.showsValues {
            // A device that is not there has no values, and the choice fails with that reason.
            if let device { _ = try choose(device, analysis.devices) }
            return
        }
        guard let device else { return try list(analysis) }
        let found = try choose(device, analysis.devices)
        guard let twin = analysis.twin(of: found.identifier) else { return }
        if found.unexplainedCount > 0 {
            warn(
                "\(TextLayout.count(found.unexplainedCount, "attribute")) without a discovery in the capture: the central "
                    + "knew the device from before, so they are not in the twin")
        }
        if found.unplacedCount > 0 {
            warn(
                "\(TextLayout.count(found.unplacedCount, "attribute")) whose service or characteristic was not captured: "
                    + "without it they are not in the twin; '--values' shows what they hold")
        }
        if plan.isJSON { return try output.line(JSONLine.text(twin)) }
        // The JSON ends with a line break of its own.
        for line in twin.json.split(separator: "\n") { try output.line(String(line)) }
    }

    /// The identities behind private addresses, for values that passed before a pairing showed them: from a look at the
    /// whole file, which a pipe does not have.
    private func identities() throws -> CaptureAnalysis {
        var analysis = CaptureAnalysis(limits: .init(bytes: 0))
        guard plan.showsValues, ToolFile.isRegular(plan.path) else { return analysis }
        try read(warnsOfDamage: false) { analysis.add($0) }
        return analysis
    }

    /// Reads the capture; packets before damage count.
    private func read(warnsOfDamage: Bool, _ body: (CapturedPacket) throws -> Void) throws {
        let file: CaptureFile
        do throws(CaptureFileError) {
            file = try CaptureFile(plan.path)
        } catch {
            throw CommandFailure(.usage, error.description)
        }
        var count = 0
        while let packet = try next(in: file, after: count, warnsOfDamage: warnsOfDamage) {
            count += 1
            try body(packet)
        }
    }

    private func next(
        in file: borrowing CaptureFile, after count: Int, warnsOfDamage: Bool
    ) throws(CommandFailure) -> CapturedPacket? {
        do throws(CaptureFileError) {
            return try file.next()
        } catch {
            guard case .capture(_, let reason) = error, count > 0 else {
                let isTwin = (try? ToolFile.twin(plan.path)) != nil
                let advice = isTwin ? ", and this is a device already, which 'bluecap emulate' takes" : ""
                throw CommandFailure(.usage, error.description + advice)
            }
            if warnsOfDamage {
                warn("\(plan.path): \(reason); the \(TextLayout.count(count, "packet")) in front of it were read")
            }
            return nil
        }
    }

    // MARK: Devices

    private func list(_ analysis: CaptureAnalysis) throws {
        let devices = analysis.devices
        if devices.isEmpty, !plan.isJSON { return try output.line("no Bluetooth LE device is in this capture") }
        for device in devices {
            let channels = analysis.channels(of: device.identifier).map(CapturedChannelFacts.init)
            if plan.isJSON {
                try output.line(JSONLine.text(CapturedDeviceEvent(device, channels)))
            } else {
                try output.line(Self.line(device))
                for channel in channels { try output.line("  " + channel.line) }
            }
        }
    }

    /// `"C0:DE:00:00:00:01  Lamp  -62 dBm  3 advertisements, 1 connection, 3 services, 12 notifications"`.
    static func line(_ device: CapturedDevice) -> String {
        var counts = [
            TextLayout.count(device.advertisementCount, "advertisement"),
            TextLayout.count(device.connectionCount, "connection"), TextLayout.count(device.serviceCount, "service"),
            TextLayout.count(device.notificationCount, "notification"),
        ]
        if device.unexplainedCount > 0 { counts.append("\(device.unexplainedCount) unexplained") }
        if device.unplacedCount > 0 { counts.append("\(device.unplacedCount) without a service") }
        if device.channelCount > 0 { counts.append(TextLayout.count(device.channelCount, "channel")) }
        let fields = [
            TextLayout.pad(device.identifier.text, to: 17), TextLayout.printable(device.name ?? "-"),
            device.isOwn ? "this controller" : device.rssi.map { "\($0) dBm" } ?? "", counts.joined(separator: ", "),
        ]
        return fields.filter { !$0.isEmpty }.joined(separator: "  ")
    }

    private func choose(_ text: String, _ devices: [CapturedDevice]) throws(CommandFailure) -> CapturedDevice {
        let found = devices.filter { DeviceFinder.isDevice(text, $0.identifier, $0.name) }
        if let only = found.first, found.count == 1 { return only }
        let lines = (found.isEmpty ? devices : found).prefix(24).map(Self.line)
        if !found.isEmpty { throw CommandFailure(severalNamed: text, lines, by: "address") }
        let list = lines.map { "\n  " + $0 }.joined()
        throw CommandFailure(
            .tryAgain, "no device '\(text)' is in this capture" + (list.isEmpty ? "" : ":" + list))
    }

    // MARK: Values

    /// Shows the frames that a device advertises, if they are other ones than before.
    private func show(
        _ device: PeerIdentifier, at time: Timestamp?, in analysis: CaptureAnalysis, _ identities: CaptureAnalysis,
        _ frames: inout [PeerIdentifier: [AdvertisedFrame]]
    ) throws {
        let identity = identities.identity(of: device)
        guard isChosen(identity, identities, named: analysis.name(of: device)),
            let new = analysis.advertisements(of: device).map(AdvertisedFrame.frames(in:)), !new.isEmpty,
            frames[identity] != new
        else { return }
        // A capture may have any number of private addresses.
        if frames.count >= analysis.limits.devices { frames.removeAll() }
        frames[identity] = new
        let event = CapturedFramesEvent(id: identity.text, frames: new, date: time.map(JSONLine.date))
        try output.line(plan.isJSON ? JSONLine.text(event) : event.line)
    }

    /// Whether the plan names a device, or none.
    private func isChosen(_ identity: PeerIdentifier, _ identities: CaptureAnalysis, named name: String?) -> Bool {
        guard let device = plan.device else { return true }
        return identities.identity(of: PeerIdentifier(device)) == identity
            || DeviceFinder.isDevice(device, identity, name)
    }

    private func show(
        _ accesses: [CapturedAccess], in analysis: CaptureAnalysis, _ identities: CaptureAnalysis
    ) throws {
        for var access in accesses {
            let heard = access.device
            access.device = identities.identity(of: heard)
            guard isChosen(access.device, identities, named: analysis.name(of: heard)) else { continue }
            let event = CapturedValueEvent(access)
            try output.line(plan.isJSON ? JSONLine.text(event) : event.line)
        }
    }

    private func show(
        _ units: [CaptureAnalysis.JoinedUnit], in analysis: CaptureAnalysis, _ identities: CaptureAnalysis
    ) throws {
        for joined in units {
            let identity = identities.identity(of: joined.device)
            guard isChosen(identity, identities, named: analysis.name(of: joined.device)) else { continue }
            let event = CapturedUnitEvent(joined, by: identity)
            try output.line(plan.isJSON ? JSONLine.text(event) : event.line)
        }
    }
}

/// A device of a capture.
struct CapturedDeviceEvent: Encodable, Sendable {
    var event = "device"
    var id: String
    var name: String?
    var random: Bool?
    var own: Bool
    var rssi: Int?
    var advertisements: Int
    var connections: Int
    var services: Int
    var notifications: Int
    var unexplained: Int
    var unplaced: Int
    /// Left out where there are none.
    var channels: [CapturedChannelFacts]?

    init(_ device: CapturedDevice, _ channels: [CapturedChannelFacts]) {
        self.channels = channels.isEmpty ? nil : channels
        id = device.identifier.text
        name = device.name
        random = device.isRandom
        own = device.isOwn
        rssi = device.rssi
        advertisements = device.advertisementCount
        connections = device.connectionCount
        services = device.serviceCount
        notifications = device.notificationCount
        unexplained = device.unexplainedCount
        unplaced = device.unplacedCount
    }
}

/// A value that passed in a capture.
struct CapturedValueEvent: Encodable, Sendable {
    var event: String
    var id: String
    var handle: Int
    var uuid: String?
    var shortUUID: String?
    var characteristic: String?
    /// Hexadecimal digits.
    var value: String
    var text: String?
    var fields: [String: String]?
    var numbers: [String: Double]?
    var units: [String: String]?
    var date: String?
    /// Whether the profile does not take the bytes for a value; for people.
    private let isRefused: Bool

    private enum CodingKeys: String, CodingKey {
        case event, id, handle, uuid, shortUUID, characteristic, value, text, fields, numbers, units, date
    }

    init(_ access: CapturedAccess) {
        event = access.kind.rawValue
        id = access.device.text
        handle = Int(access.handle)
        (uuid, shortUUID) = (access.uuid?.fullDescription, access.uuid?.description)
        characteristic = access.uuid.map { KnownProfiles.characteristic($0, in: nil) }
        value = access.value.hex
        let read = access.uuid.map { ValueText(access.value, of: $0) }
        (text, fields, numbers, units) = (read?.line, read?.fields, read?.numbers, read?.units)
        isRefused = read?.isRefused == true
        date = access.time.map(JSONLine.date)
    }

    /// `"2026-01-01T00:00:01.000Z  notified  C0:DE:00:00:00:01  0x0006  Battery Level  99 %  63"`.
    var line: String {
        let digits = String(handle, radix: 16)
        let fields = [
            date ?? "-", TextLayout.pad(event, to: 8), id,
            "0x" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits,
            characteristic.map(TextLayout.printable) ?? "",
            ValueText.line(text, hex: value, isRefused: isRefused),
        ]
        return fields.filter { !$0.isEmpty }.joined(separator: "  ")
    }
}
