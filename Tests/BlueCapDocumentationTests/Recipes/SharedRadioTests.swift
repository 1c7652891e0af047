// SPDX-License-Identifier: MIT

#if os(Linux)
import BlueCap
import Foundation
import Testing

/// The code of the article about radios that programs share.
@Suite("A shared radio's article", .timeLimit(.minutes(60)))
struct SharedRadioTests {
    @Test func `a program shares its radio, and guests in both roles join it`() async throws {
        let path = "/tmp/bluecap-article-\(UUID().uuidString).sock"
        let radio = VirtualRadio()
        let shared = try radio.share(at: path)  // until shared.stop(), or until it is gone
        let manager = PeripheralManager(backend: radio.peripheral())
        try await manager.whenPoweredOn()
        try await manager.startAdvertising("Watch")

        let central = CentralManager(backend: SharedCentralBackend(at: path))
        let device = PeripheralManager(backend: SharedPeripheralBackend(at: path))
        try await central.whenPoweredOn()
        try await device.whenPoweredOn()
        let watch = try await central.firstDiscovery(timeout: .seconds(30)).peripheral
        #expect(watch.name == "Watch")
        await central.invalidate()
        await device.invalidate()
        shared.stop()
    }
}
#endif
