// SPDX-License-Identifier: MIT

#if ESPHome
import BlueCapSerDe
import Testing

@testable import BlueCapESPHome

@Suite("A handshake", .timeLimit(.minutes(60)))
struct NoiseHandshakeTests {
    private static let key = NoiseKey(Array(0..<32))!

    private func bytes(_ hex: String) throws -> [UInt8] { Array(try Bytes(hex: hex)) }

    private func pair() -> (client: NoiseHandshake, server: NoiseHandshake) {
        (
            NoiseHandshake(Self.key, own: Array(0x40..<0x60)), NoiseHandshake(Self.key, own: Array(0x80..<0xA0))
        )
    }

    /// Keys and bytes of a foreign library.
    @Test func `has the bytes of another implementation`() throws {
        var (client, server) = pair()
        #expect(client.state.hash == (try bytes("e118ea76fecd615fda78e16054f431702b62650438dc7a42d2d4b7226a4c5506")))
        let first = try client.begin()
        #expect(
            first
                == (try bytes(
                    "79a631eede1bf9c98f12032cdeadd0e7a079398fc786b88cc846ec89af85a51af6140b42e9427aa9d3e7d6d9506e1613"))
        )
        #expect(
            client.state.chainingKey
                == (try bytes("cb503b9e316f0c555eaa978e591605582c4119af7332cdeac61c7b545f5c93e6")))
        var (answer, servers) = try server.answer(first)
        #expect(
            answer
                == (try bytes(
                    "493e82fc74464a59268817623d2053c5eb8e2cc4a988b4fee179ec6b010d531df8dd769f6865dda59e90b81a8de78a4c"))
        )
        #expect(server.state.hash == (try bytes("fbcf628d666fa7a894ddb6c04a5633e92130786639a8f34d95cef2e0fc57e096")))
        var clients = try client.finish(answer)
        let hello = try bytes("000100070a01741001180a")
        let sealed = try clients.sending.seal(hello)
        #expect(sealed == (try bytes("8f4ed6a967892f9c622a3b0915650935a1942a5e2350614e596c3a")))
        #expect(try servers.receiving.open(sealed[...]) == hello)
        let response = try bytes("0002000a0801100e1a017822016e")
        let back = try servers.sending.seal(response)
        #expect(back == (try bytes("ece3d0a71ce358b3534c2ddb07146ee201dcfa6c41c90d949e77c2540fc2")))
        #expect(try clients.receiving.open(back[...]) == response)
        #expect(try clients.sending.seal([0, 7, 0, 0]) == (try bytes("b1b6a5c568a8b2f6b96f6153a6596446df62042e")))
    }

    @Test func `fails with another key`() throws {
        var client = NoiseHandshake(NoiseKey(Array(1..<33))!)
        var (_, server) = pair()
        let first = try client.begin()
        #expect(throws: WireError.undecipherable) { _ = try server.answer(first) }
    }

    @Test func `fails with each bit that is changed, and with each byte that is missing`() throws {
        var client = pair().client
        let first = try client.begin()
        for index in first.indices {
            var changed = first
            changed[index] ^= 0x10
            var server = pair().server
            #expect(throws: WireError.undecipherable) { _ = try server.answer(changed) }
            server = pair().server
            #expect(throws: WireError.self) { _ = try server.answer(Array(first.prefix(index))) }
        }
    }

    @Test func `refuses a public key from which no secret comes`() throws {
        var server = pair().server
        #expect(throws: WireError.undecipherable) { _ = try server.answer([UInt8](repeating: 0, count: 48)) }
    }

    @Test func `leaves ciphers that refuse a message twice, changed, or out of its turn`() throws {
        var (client, server) = pair()
        var (answer, servers) = try server.answer(try client.begin())
        var clients = try client.finish(answer)
        let messages = try (0..<3).map { _ in try clients.sending.seal([1, 2, 3]) }
        #expect(Set(messages).count == 3)
        #expect(try servers.receiving.open(messages[0][...]) == [1, 2, 3])
        #expect(throws: WireError.undecipherable) { _ = try servers.receiving.open(messages[0][...]) }
        #expect(throws: WireError.undecipherable) { _ = try servers.receiving.open([]) }
        answer = []
    }

    @Test func `takes a key of 32 bytes in base64 that are not all zero, and shows none`() throws {
        let text = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
        let key = try #require(NoiseKey(base64: text))
        #expect(key.bytes == Array(0..<32))
        #expect(key.secretText == text)
        #expect("\(key)" == "NoiseKey")
        #expect(!String(reflecting: key).contains("AAEC"))
        for wrong in [
            "", "AAEC", String(text.dropLast()), text + "\n", String(repeating: "A", count: 43) + "=",
            "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh9=", "!" + text.dropFirst(), "====" + text.dropFirst(4),
        ] {
            #expect(NoiseKey(base64: wrong) == nil, "\(wrong)")
        }
        let new = NoiseKey.random()
        #expect(NoiseKey(base64: new.secretText)?.bytes == new.bytes)
    }

    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ])
    func `writes its key in the base64 of RFC 4648`(text: String, encoded: String) {
        #expect(Base64.encode(Array(text.utf8)) == encoded)
        #expect(Base64.decode(encoded) == Array(text.utf8))
    }
}
#endif
