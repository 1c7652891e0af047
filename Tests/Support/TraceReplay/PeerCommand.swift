// SPDX-License-Identifier: MIT

import BlueCapCapture
import BlueCapCore
import BlueCapSerDe
import BlueCapTesting
import Foundation

/// A command to the peer, from a note of a trace.
struct PeerCommand {
    let note: JSONValue

    var name: String { note["cmd"]?.text ?? "" }
    var device: Int { note["device"]?.integer ?? 0 }

    /// A command that waits holds from where the next one is given: the recorder gave it at the same time as a call.
    var waits: Bool { name == "wait" }

    /// The same with another passkey.
    func typing(_ passkey: Int) -> PeerCommand {
        var members = note.object ?? [:]
        members["passkey"] = .integer(passkey)
        return PeerCommand(note: .object(members))
    }

    /// Carries the command out; gives the address for `configure`.
    func perform(in world: any ReplayWorld) async throws -> PeerIdentifier? {
        switch name {
        case "kill_daemon": try await world.killDaemon()
        case "start_daemon": try await world.startDaemon()
        case "restart_daemon": try await world.restartDaemon()
        case "adapter": try await world.setAdapter(present: note["present"]?.bool ?? true)
        case "type_passkey": _ = try await world.send(note.canonical, to: device)
        // No other world has digits of its own choice.
        case "configure" where note["pairing"]?["passkey"] != nil:
            let answer = try JSONValue(text: try await world.send(note.canonical, to: device))
            return answer["address"]?.text.map { PeerIdentifier($0) }
        default: return try await perform(on: world.peer(device))
        }
        return nil
    }

    private func perform(on peer: any ConformancePeer) async throws -> PeerIdentifier? {
        switch name {
        case "configure":
            return try await peer.configure(
                try decode("peer"), pairing: note["pairing"] == nil ? PeerPairing() : try decode("pairing"))
        case "advertise": try await peer.advertise(note["enabled"]?.bool ?? true)
        case "update_advertisement": try await peer.updateAdvertisement(try decode("advertisement"))
        case "rssi": try await peer.setRSSI(note["value"]?.integer ?? -50)
        case "set_value": try await peer.setValue(bytes(note["value"]), of: try attribute())
        case "set_error":
            let error = note["code"]?.integer.map { ATTError(rawValue: UInt8($0)) }
            try await peer.setError(error, of: try attribute(), on: try access())
        case "hold": try await peer.hold(try attribute(), on: try access())
        case "release":
            for access in note["on"] == nil ? [.read, .write] : [try access()] {
                try await peer.release(try attribute(), on: access)
            }
        case "notify_many":
            let (count, size) = (note["count"]?.integer ?? 0, note["size"]?.integer ?? 20)
            try await peer.notifyMany(try attribute(), count: count, size: size)
        case "notify": try await peer.notify(try attribute(), values)
        case "indicate": _ = try await peer.indicate(try attribute(), values)
        case "notify_on_subscribe": try await peer.notifyOnSubscribe(try attribute(), bytes(note["value"]))
        case "disconnect": try await peer.disconnect()
        case "vanish": try await peer.vanish()
        case "mute": try await peer.mute()
        case "return": try await peer.comeBack()
        case "refuse_connections": try await peer.refuseConnections(note["enabled"]?.bool ?? true)
        case "service_changed": try await peer.changeServices(try decode("services"))
        case "wait": try await wait(on: peer)
        default: throw ReplayError("a trace cannot be replayed with \(note.canonical)")
        }
        return nil
    }

    private func wait(on peer: any ConformancePeer) async throws {
        switch note["event"]?.text {
        case "held":
            // Without an access either may be held.
            try await peer.wait(until: .held(try attribute(), note["on"] == nil ? .read : try access()))
        case "subscribed": try await peer.wait(until: .subscribed(try attribute()))
        case "written": try await peer.wait(until: .written(try attribute(), count: 1))
        case "connected": try await peer.wait(until: .connected)
        case "disconnected": try await peer.wait(until: .disconnected)
        default: throw ReplayError("a trace cannot be replayed with \(note.canonical)")
        }
    }

    private var values: [Bytes] { (note["values"]?.list ?? []).map { bytes($0) } }

    private func bytes(_ value: JSONValue?) -> Bytes { (try? Bytes(hex: value?.text ?? "")) ?? [] }

    private func attribute() throws -> PeerAttribute {
        guard let attribute = note["attribute"]?.text.flatMap({ PeerAttribute($0) }) else {
            throw ReplayError("no attribute in \(note.canonical)")
        }
        return attribute
    }

    private func access() throws -> PeerAccess {
        guard let access = note["on"]?.text.flatMap(PeerAccess.init(rawValue:)) else {
            throw ReplayError("no access in \(note.canonical)")
        }
        return access
    }

    private func decode<Value: Decodable>(_ key: String) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data((note[key] ?? .null).canonical.utf8))
    }
}

/// The reason why a replay failed, in a sentence.
package struct ReplayError: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
