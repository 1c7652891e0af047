// SPDX-License-Identifier: MIT

import BlueCapCore
import Testing

@testable import BlueCapESPHome

@Suite("The announcement of a proxy", .timeLimit(.minutes(60)))
struct AnnouncedServiceTests {
    private let identity = ProxyIdentity(
        name: "Céller 2", address: "02:00:00:00:AB:CD", bluetoothAddress: "C0:DE:00:00:00:01", version: "1.2.3")

    @Test func `has a name of the network, and the texts that Home Assistant reads`() {
        let service = AnnouncedService(identity, port: 6053, isEncrypted: true)
        #expect(service.name == "c--ller-2")
        #expect(
            service.texts == [
                "api_encryption=Noise_NNpsk0_25519_ChaChaPoly_SHA256", "board=host", "friendly_name=Céller 2",
                "mac=02000000abcd", "network=ethernet", "platform=host", "project_name=bluecap.proxy",
                "project_version=1.2.3", "version=2026.10.0",
            ])
        #expect(!AnnouncedService(identity, port: 1, isEncrypted: false).texts.contains { $0.hasPrefix("api_enc") })
    }

    @Test(arguments: [
        ("", "bluecap"), ("___", "bluecap"), ("a", "a"),
        (String(repeating: "n", count: 40), String(repeating: "n", count: 31)),
    ])
    func `has a name in any case`(text: String, name: String) {
        let identity = ProxyIdentity(name: text, address: "", bluetoothAddress: "", version: "")
        #expect(identity.name == name)
    }

    @Test func `has addresses that stay, and are not those of other machines`() {
        let address = ProxyIdentity.localAddress(of: "machine/name")
        #expect(address == ProxyIdentity.localAddress(of: "machine/name"))
        #expect(address != ProxyIdentity.localAddress(of: "machine/other"))
        #expect(address.text.hasPrefix("02:"))
    }

    @Test func `leaves out nothing of an address, of whichever kind`() {
        #expect(DeviceAddress("C0:11:22:33:44:55").number == 0xC011_2233_4455)
        #expect(DeviceAddress("C0:11:22:33:44:55").type(isRandom: nil) == 1)
        #expect(DeviceAddress("40:11:22:33:44:55").type(isRandom: nil) == 1)
        #expect(DeviceAddress("00:11:22:33:44:55").type(isRandom: nil) == 0)
        let hidden = DeviceAddress("7E1B3E9C-0000-4000-8000-000000000001")
        #expect(hidden.number >> 46 == 0b11 && hidden == DeviceAddress("7e1b3e9c-0000-4000-8000-000000000001"))
    }
}
