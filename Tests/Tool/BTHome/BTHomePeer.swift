// SPDX-License-Identifier: MIT

import BlueCapBeacon
import BlueCapCore
import BlueCapSerDe

/// Writes and reads frames of BTHome for Tests/Tool/bthome.py, a line for each: "encode ID VALUE [ID VALUE…]" and
/// "encrypt ID VALUE [ID VALUE…]" are answered by service data, and "decode DATA" and "decrypt DATA" by the objects,
/// "ID NUMBER TEXT" with "-" for no number. The arguments are the bind key and the address of the device.
@main
struct BTHomePeer {
    private var encryptor: BTHomeEncryptor
    private var decryptor: BTHomeDecryptor

    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let key = BTHomeKey(try Bytes(hex: arguments[1])) else {
            print("usage: bluecap-bthome KEY ADDRESS")
            return
        }
        let device = PeerIdentifier(arguments[2])
        var peer = BTHomePeer(
            encryptor: BTHomeEncryptor(key: key, device: device, counter: 1),
            decryptor: BTHomeDecryptor(key: key, device: device))
        while let line = readLine() {
            do {
                print(try peer.answer(line.split(separator: " ").map(String.init)))
            } catch {
                print("error: \(error)")
            }
        }
    }

    private mutating func answer(_ words: [String]) throws -> String {
        switch words.first {
        case "encode":
            return SerDe.serialize(try Self.frame(words)).hex
        case "encrypt":
            return SerDe.serialize(try encryptor.encrypt(try Self.frame(words))).hex
        case "decode":
            return try Self.text(of: try SerDe.deserialize(try Bytes(hex: words[1])))
        case "decrypt":
            return try Self.text(of: try decryptor.decrypt(try SerDe.deserialize(try Bytes(hex: words[1]))))
        default:
            return "error: unknown"
        }
    }

    /// The objects of a frame, all of whose bytes are read.
    private static func text(of frame: BTHome) throws -> String {
        guard !frame.isEncrypted, frame.unread.isEmpty else { throw BTHomeError.incomplete }
        return frame.objects.map { "\($0.id) \($0.number.map { "\($0)" } ?? "-") \($0.text)" }.joined(separator: ";")
    }

    private static func frame(_ words: [String]) throws -> BTHome {
        if words[1] == "text" {
            return BTHome(objects: [try made(BTHomeObject(text: words.dropFirst(2).joined(separator: " ")))])
        }
        return BTHome(
            objects: try stride(from: 1, to: words.count - 1, by: 2).map { place in
                let (id, value) = (UInt8(words[place]), Double(words[place + 1]))
                return try made(id.flatMap { id in value.flatMap { BTHomeObject(id, $0) } })
            })
    }

    private static func made(_ object: BTHomeObject?) throws -> BTHomeObject {
        guard let object else { throw BTHomeError.incomplete }
        return object
    }
}
