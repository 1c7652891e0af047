// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapCoreBluetooth
import BlueCapPlatform
import BlueCapRuntime
import BlueCapSerDe
import BlueCapVirtual
import CoreBluetooth

/// Calls the delegate of the CoreBluetooth backend for a notified value of 20 bytes, over the objects of the stand-in.
/// callgrind counts what `deliver` does. The arguments are those of the other clients of `Benchmarks/pipeline`.
@main
struct NotifiedValues {
    private static let service: BluetoothUUID = "180D"

    /// Not `async`: libdispatch's wait of an asynchronous `main` ends valgrind 3.19. This thread sleeps until the task
    /// ends the process.
    static func main() {
        Task { @concurrent in
            await run()
            fflush(nil)
            _exit(0)
        }
        while true { pause() }
    }

    private static func run() async {
        let count = CommandLine.arguments.dropFirst(2).first.flatMap { Int($0) } ?? 1
        let host = StandIn(radio: VirtualRadio())
        let characteristic = VirtualCharacteristic("2A37", properties: .notify)
        host.radio.add(
            VirtualPeripheral(
                name: "Sensor", services: [VirtualService(service, characteristics: [characteristic])]))
        let backend = CoreBluetoothCentralBackend()
        if let executor = backend.executor as? DispatchBackendExecutor { host.attach(to: executor.queue) }
        let events = BackendEvents()
        await subscribe(backend, events)
        // The first value has everything made that is made once.
        characteristic.notify((0..<20).map { UInt8($0) })
        await events.next { if case .valueChanged = $0 { true } else { nil } }
        let before = events.valueCount
        await host.withManagers { manager in
            guard let manager = manager as? CBCentralManager,
                let peripheral = manager.retrieveConnectedPeripherals(withServices: [CBUUID(string: "180D")]).first,
                let delegate = peripheral.delegate,
                let characteristic = peripheral.services?.compactMap({ $0.characteristics?.first }).first
            else { return }
            deliver(count, to: delegate, peripheral, characteristic)
        }
        print("{\"count\": \(count), \"wrong\": \(count - (events.valueCount - before))}")
    }

    @inline(never)
    private static func deliver(
        _ count: Int, to delegate: any CBPeripheralDelegate, _ peripheral: CBPeripheral,
        _ characteristic: CBCharacteristic
    ) {
        for _ in 0..<count { delegate.peripheral(peripheral, didUpdateValueFor: characteristic, error: nil) }
    }

    /// Connects to the peripheral, and subscribes to its characteristic.
    private static func subscribe(_ backend: CoreBluetoothCentralBackend, _ events: BackendEvents) async {
        await backend.activate(clock: .continuous, sink: events.sink)
        await events.next { if case .stateChanged(.poweredOn, _) = $0 { true } else { nil } }
        await backend.scan(ScanRequest())
        let id = await events.next { if case .sighted(let sighting) = $0 { sighting.peripheral } else { nil } }
        await backend.connect(id)
        await events.next { if case .connected = $0 { true } else { nil } }
        let services = await ask(.discoverServices(id, [service]), backend, events) { reply in
            if case .services(let found) = reply { found } else { nil }
        }
        for service in services {
            let found = await ask(.discoverCharacteristics(id, service: service.id, nil), backend, events) { reply in
                if case .characteristics(let found) = reply { found } else { nil }
            }
            for characteristic in found {
                await ask(.setNotifying(id, characteristic.id, true, .standard), backend, events) { _ in true }
            }
        }
    }

    @discardableResult
    private static func ask<Found>(
        _ operation: CentralOperation, _ backend: CoreBluetoothCentralBackend, _ events: BackendEvents,
        _ pick: (CentralReply) -> Found?
    ) async -> Found {
        await backend.perform(CentralRequest(id: RequestID(rawValue: 1), operation: operation))
        return await events.next { event in
            if case .reply(_, .success(let reply)) = event { pick(reply) } else { nil }
        }
    }
}
