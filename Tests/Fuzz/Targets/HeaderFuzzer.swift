// SPDX-License-Identifier: MIT

import BlueCapDBus

/// Whole messages: of any bytes, or of fields that are nearly right.
struct HeaderFuzzer {
    func run(_ input: inout FuzzInput) {
        #if BlueZ && os(Linux)
        let bytes = input.byte() % 4 == 0 ? input.rest() : Self.message(&input)
        guard let message = try? Message(wireBytes: bytes) else { return }
        expect(message.serial != 0, "a serial of 0")
        expect(message.path.map(Names.isObjectPath) ?? true, "path \(message.path ?? "")")
        expect(message.interface.map(Names.isInterface) ?? true, "interface \(message.interface ?? "")")
        expect(message.member.map(Names.isMember) ?? true, "member \(message.member ?? "")")
        expect(message.errorName.map(Names.isInterface) ?? true, "error name \(message.errorName ?? "")")
        for name in [message.destination, message.sender] {
            expect(name.map(Names.isBusName) ?? true, "bus name \(name ?? "")")
        }
        expect(Signature.isValid(message.signature), "signature \(message.signature)")
        switch message.kind {
        case .methodCall: expect(message.path != nil && message.member != nil, "a call of nothing")
        case .signal:
            expect(message.path != nil && message.interface != nil && message.member != nil, "a signal of nothing")
        case .methodReturn: expect(message.replySerial != 0, "an answer to nothing")
        case .error: expect(message.replySerial != 0 && message.errorName != nil, "an error of nothing")
        }
        do throws(DBusError) {
            let signature = try message.body().map(\.signature).joined()
            expect(signature == message.signature, "\(signature) for \(message.signature)")
        } catch {
            fail("\(bytes) was taken, and its body is refused: \(error)")
        }
        #endif
    }

    #if BlueZ && os(Linux)
    private static let texts = [
        "/", "/a", "a.b", "A", ":1.2", "org.freedesktop.DBus.Local", "/org/freedesktop/DBus/Local", "", "s", "a{sv}",
        "v",
    ]

    static func message(_ input: inout FuzzInput) -> [UInt8] {
        let isBigEndian = input.byte() % 2 == 1
        func number(_ value: Int) -> [UInt8] {
            let bytes = (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
            return isBigEndian ? bytes.reversed() : bytes
        }
        let kind = input.byte()
        var fields: [UInt8] = []
        for _ in 0..<input.byte() % 10 {
            while fields.count % 8 != 0 { fields.append(0) }
            let code = input.byte() % 12
            // The type that the field has, for once in sixteen another.
            let type = Array("yosssussguy".utf8)[Int(input.byte() % 16 == 0 ? input.byte() : code) % 11]
            fields += [code, 1, type, 0]
            let chosen = Int(input.byte())
            let text = Array((chosen < texts.count ? texts[chosen] : input.text()).utf8)
            switch type {
            case UInt8(ascii: "u"): fields += number(chosen)
            case UInt8(ascii: "y"): fields.append(UInt8(chosen))
            case UInt8(ascii: "g"): fields += [UInt8(truncatingIfNeeded: text.count)] + text + [0]
            default: fields += number(text.count) + text + [0]
            }
        }
        let body = input.rest()
        var bytes = [UInt8(ascii: isBigEndian ? "B" : "l"), kind, 0, 1] + number(body.count) + number(1)
        bytes += number(fields.count) + fields
        while bytes.count % 8 != 0 { bytes.append(0) }
        return bytes + body
    }
    #endif
}
