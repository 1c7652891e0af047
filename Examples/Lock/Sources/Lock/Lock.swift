// SPDX-License-Identifier: MIT

import BlueCap

/// Is a lock that only a paired central opens, until Ctrl-C. With `--share PATH`, on Linux, it is one on a virtual
/// radio that other programs take part in, so that `bluecap scan --backend virtual:PATH` finds it.
@main
struct Lock {
    static func main() async throws {
        #if os(Linux)
        let arguments = CommandLine.arguments
        if let option = arguments.firstIndex(of: "--share"), option + 1 < arguments.count {
            let radio = VirtualRadio()
            let shared = try radio.share(at: arguments[option + 1])
            try await Lock().serve(PeripheralManager(backend: radio.peripheral()))
            return shared.stop()
        }
        #endif
        try await Lock().serve(PeripheralManager())
    }

    private let level = TypedMutableCharacteristic<BatteryService.Level>()
    /// 1 while it is locked. A central that writes has to have compared or typed a passkey; on macOS, to have paired.
    private let bolt = MutableCharacteristic(
        uuid: "6C6F636B-0001-4A5B-8C3D-2E1F00000000", properties: [.read, .write],
        permissions: [.readable, .writeAuthenticationRequired], value: [1])

    /// Offers the services and advertises them until the task is cancelled.
    func serve(_ manager: PeripheralManager) async throws {
        let service = MutableService(uuid: "6C6F636B-0000-4A5B-8C3D-2E1F00000000")
        service.characteristics = [bolt]
        let battery = MutableService(BatteryService.self, characteristics: [level.characteristic])
        try await manager.whenPoweredOn(timeout: .seconds(5))
        // Writes and questions that come before the loops are there are refused.
        let (writes, questions) = (bolt.writeRequests(), manager.pairingRequests(capability: .displayOnly))
        for service in [service, battery] { try await manager.add(service, timeout: .seconds(10)) }
        try await manager.startAdvertising("Lock", timeout: .seconds(10))
        print("advertising")
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await open(writes) }
            group.addTask { await show(questions) }
            group.addTask { try await measure() }
            // The first that ends, or fails, ends the others.
            try await group.next()
            group.cancelAll()
        }
    }

    private func open(_ requests: AsyncStream<WriteRequest>) async {
        for await request in requests {
            guard request.value == [0] || request.value == [1] else {
                request.respond(.valueNotAllowed)
                continue
            }
            request.accept()
            print(request.value == [0] ? "opened" : "locked")
        }
    }

    /// Shows the passkey that is to be typed at the central.
    private func show(_ questions: AsyncStream<PairingRequest>) async {
        for await question in questions {
            guard case .displayPasskey(let passkey) = question.kind else { continue }
            let digits = String(passkey)
            print("passkey \(String(repeating: "0", count: 6 - digits.count))\(digits)")
        }
    }

    private func measure() async throws {
        for percent in (0...100).reversed() {
            if let value = BatteryService.Level(rawValue: UInt8(percent)) { try level.update(value) }
            try await Task.sleep(for: .seconds(1))
        }
    }
}
