// SPDX-License-Identifier: MIT

import BlueCapBeacon
import BlueCapCore
import BlueCapSerDe

/// Encrypts and decrypts frames of BTHome for Tests/Tool/bthome.py, a line for each: "encrypt ID VALUE" is answered
/// by service data, and "decrypt DATA" by the objects, "ID NUMBER TEXT" with "-" for no number. The arguments
/// are the bind key and the address of the device.
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
        case "encrypt":
            let object = try Self.object(words)
            return SerDe.serialize(try encryptor.encrypt(BTHome(objects: [object]))).hex
        case "decrypt":
            let clear = try decryptor.decrypt(try SerDe.deserialize(try Bytes(hex: words[1])))
            return clear.objects.map { "\($0.id) \($0.number.map { "\($0)" } ?? "-") \($0.text)" }
                .joined(separator: ";")
        default:
            return "error: unknown"
        }
    }

    private static func object(_ words: [String]) throws -> BTHomeObject {
        let made: BTHomeObject? =
            switch words[1] {
            case "text": BTHomeObject(text: words.dropFirst(2).joined(separator: " "))
            case "dimmer":
                BTHomeObject(dimmer: words[2] == "left" ? .left : .right, steps: UInt8(words[3]) ?? 0)
            default: UInt8(words[1]).flatMap { id in Double(words[2]).flatMap { BTHomeObject(id, $0) } }
            }
        guard let made else { throw BTHomeError.incomplete }
        return made
    }
}
