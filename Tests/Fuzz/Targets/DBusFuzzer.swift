// SPDX-License-Identifier: MIT

import BlueCapDBus

/// Bodies of messages, with any signature, and the texts for which D-Bus has rules.
struct DBusFuzzer {
    func run(_ input: inout FuzzInput) {
        switch input.byte() % 8 {
        case 0: Self.signature(input.restOfText())
        case 1: Self.names(input.restOfText())
        case 2: Self.message(&input)
        case let other: Self.body(&input, isBigEndian: other == 3)
        }
    }

    /// The signatures that BlueZ's messages have, and some that are harder.
    private static let signatures = [
        "a{sv}", "a{oa{sa{sv}}}", "sa{sv}as", "oa{sa{sv}}", "oas", "v", "a{qv}", "a{yv}", "ay", "as", "ao", "s", "aas",
        "a(yv)", "vvv", "x(", "at", "g", "h", "a(a(a(y)))", "ybnqiuxtdsogh", "a{sa{sv}}", "(ayv)", "a{vs}", "aaaaaaaav",
    ]

    private static func body(_ input: inout FuzzInput, isBigEndian: Bool) {
        let chosen = Int(input.byte())
        let signature = chosen < signatures.count ? signatures[chosen] : input.text()
        let bytes = input.rest()
        guard let values = try? WireReader.values(bytes, signature: signature, isBigEndian: isBigEndian) else { return }
        expect(Signature.isValid(signature), "values of signature \(signature)")
        expect(values.map(\.signature).joined() == signature, "\(values.map(\.signature)) for \(signature)")
        again(values, signature)
    }

    private static func message(_ input: inout FuzzInput) {
        let chosen = Int(input.byte())
        let signature = chosen < signatures.count ? signatures[chosen] : input.text()
        guard let values = try? WireReader.body(ofMessage: input.rest(), signature: signature) else { return }
        again(values, signature)
    }

    #if BlueZ && os(Linux)
    private static let objects = ObjectSelection(["org.bluez.Device1": ["Address", "UUIDs"], "": [""]])
    #endif

    /// Has libdbus write the values, which ends the process when they break its rules, and reads them.
    private static func again(_ values: [DBusValue], _ signature: String) {
        #if BlueZ && os(Linux)
        // Descriptors are appended by their owners.
        guard !signature.contains("h") else { return }
        let message: Message
        do throws(DBusError) {
            message = try Message.signal(path: "/a", interface: "a.b", member: "C", body: values)
        } catch {
            // A variant may hold a descriptor.
            if case .invalidArgument("a descriptor is appended by its owner") = error { return }
            fail("\(values) were read and are refused: \(error)")
        }
        expect(message.signature == signature, "\(message.signature) for \(signature)")
        do throws(DBusError) {
            let body = try message.body()
            // A NaN equals nothing; its text has its bits.
            expect(body == values || "\(body)" == "\(values)", "\(values) became \(body)")
            if signature == "a{oa{sa{sv}}}" { _ = try objects.objects(in: message) }
        } catch {
            fail("\(values) were written and are refused: \(error)")
        }
        #endif
    }

    private static func signature(_ text: String) {
        let isValid = Signature.isValid(text)
        expect(!Signature.isSingle(text) || isValid, "\(text) is a type and no signature")
        expect(!Signature.isBasic(text) || Signature.isSingle(text), "\(text) is basic and no type")
        expect(Signature.isValid(text + text) == (isValid && text.utf8.count * 2 <= 255), "\(text) twice")
        if isValid { _ = try? WireReader.values([], signature: text, isBigEndian: false) }
    }

    private static func names(_ text: String) {
        if Names.isObjectPath(text), text != "/" { expect(Names.isObjectPath(text + "/a"), "\(text)/a") }
        if Names.isInterface(text) { expect(Names.isBusName(text), "\(text) is an interface and no name") }
        if Names.isMember(text) { expect(!Names.isInterface(text), "\(text) is a member and an interface") }
        #if BlueZ && os(Linux)
        // libdbus ends the process at a name that breaks its rules.
        _ = try? Message.methodCall(to: text, path: "/a", interface: "a.b", member: "C")
        _ = try? Message.methodCall(to: nil, path: text, interface: "a.b", member: "C")
        _ = try? Message.methodCall(to: nil, path: "/a", interface: text, member: "C")
        _ = try? Message.methodCall(to: nil, path: "/a", interface: "a.b", member: text)
        for value in [DBusValue.string(text), .objectPath(text), .signature(text)] {
            _ = try? Message.signal(path: "/a", interface: "a.b", member: "C", body: [value])
        }
        #endif
    }
}
