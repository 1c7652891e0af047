// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapPlatform
import Foundation
import Testing

@testable import BlueCapCommand

@Suite(.timeLimit(.minutes(60)))
struct BackendNameTests {
    @Test(arguments: [
        ("bluez", BackendName.bluez), ("virtual", .virtual(nil)), ("virtual:house", .virtual("house")),
        ("virtual:world.json", .virtual("world.json")), ("virtual:app.sock", .shared("app.sock")),
        ("virtual:/tmp/no such/app.socket", .shared("/tmp/no such/app.socket")),
    ])
    func `a radio is read from its name, and written as it again`(_ text: String, _ name: BackendName) {
        #expect(BackendName(argument: text) == name)
        #expect(name.text == text)
        #expect(name.isVirtual == (name != .bluez && !text.contains(".sock")))
    }

    #if os(Linux)
    @Test func `a socket by any name is that of a shared radio, and a file never is`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let shared = try VirtualRadio().share(at: folder + "/radio")
        #expect(BackendName(argument: "virtual:\(folder)/radio") == .shared(folder + "/radio"))
        shared.stop()
        #expect(BackendName(argument: "virtual:\(folder)/radio") == .virtual(folder + "/radio"))
        let file = folder + "/world.sock"
        try Data().write(to: URL(fileURLWithPath: file))
        #expect(BackendName(argument: "virtual:\(file)") == .virtual(file))
    }
    #endif

    @Test func `a radio that no program shares is reported without advice about this machine`() async throws {
        #if os(Linux)
        let central = CentralManager(backend: SharedCentralBackend(at: "/tmp/no such folder/app.sock"))
        let failure = await #expect(throws: CommandFailure.self) { try await central.requireRadio() }
        #expect(failure?.status == .noRadio)
        #expect(failure?.message.contains("no program shares a radio at /tmp/no such folder/app.sock") == true)
        #expect(failure?.message.contains("doctor") == false)
        #endif
    }
}
