// SPDX-License-Identifier: MIT

#if Crypto
import BlueCapBeacon
import BlueCapCore
import BlueCapSerDe
import Foundation
import Testing

@Suite("The article on encrypted frames of BTHome", .timeLimit(.minutes(60)))
struct EncryptedArticleTests {
    /// The code of the article, word for word.
    func read(central: CentralManager) async throws {
        guard let key = BTHomeKey(try Bytes(hex: "231d39c1d7cc1ab1aee224cd096db932")) else { return }
        let sensor = PeerIdentifier("54:48:E6:8F:80:A5")
        var decryptor = BTHomeDecryptor(key: key, device: sensor)
        for try await discovery in central.scan(options: ScanOptions(allowsDuplicates: true)) {
            guard discovery.peripheral.identifier == sensor else { continue }
            guard let frame = BTHome(discovery.advertisements) else { continue }
            do {
                for measurement in try decryptor.decrypt(frame).measurements { print(measurement) }
            } catch .repeated {
                continue  // each frame is sent several times
            } catch {
                print("refused: \(error)")
            }
        }
    }

    func send(peripherals: PeripheralManager, counter: UInt32, temperatures: AsyncStream<Double>) async throws {
        guard let key = BTHomeKey(try Bytes(hex: "231d39c1d7cc1ab1aee224cd096db932")) else { return }
        let address = PeerIdentifier("54:48:E6:8F:80:A5")
        var encryptor = BTHomeEncryptor(key: key, device: address, counter: counter, sendsAddress: true)
        try await peripherals.startAdvertising(encryptor.encrypt(BTHome(objects: [])))
        for await temperature in temperatures {
            let frame = BTHome(objects: [BTHomeObject(0x02, temperature)].compactMap(\.self))
            try await peripherals.updateAdvertisement(encryptor.encrypt(frame))
        }
    }

    @Test func `has no code that is not compiled`() throws {
        let tests = URL(fileURLWithPath: #filePath)
        let article = "../../../Sources/BlueCapBeacon/Documentation.docc/EncryptedBTHome.md"
        let compiled = lines(try String(contentsOf: tests, encoding: .utf8))
        let text = try String(
            contentsOf: tests.deletingLastPathComponent().appendingPathComponent(article), encoding: .utf8)
        let blocks = text.components(separatedBy: "```swift\n").dropFirst().map {
            lines($0.components(separatedBy: "```")[0])
        }
        #expect(blocks.count == 2)
        for block in blocks where !compiled.contains(block) { Issue.record("not compiled:\n\(block)") }
    }

    private func lines(_ text: String) -> String {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
    }
}
#endif
