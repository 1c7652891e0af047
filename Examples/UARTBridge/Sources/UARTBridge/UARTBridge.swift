// SPDX-License-Identifier: MIT

import BlueCap
import Foundation

/// Connects standard input and output with a device that has Nordic's UART service: typed lines are sent, and received
/// text is shown. It ends with the input, or with Ctrl-C. With `--virtual` the device is a virtual one, which answers
/// each line.
@main
struct UARTBridge {
    typealias UART = Nordic.UARTService

    static func main() async throws {
        // Until the links are ended: a terminal that is closed takes no more output first, and sends its signal then.
        async let _ = Interruption.wait()
        let radio = CommandLine.arguments.contains("--virtual") ? VirtualRadio() : nil
        radio?.add(VirtualShell().peripheral)
        let central = radio.map { CentralManager(backend: $0.central()) } ?? CentralManager()
        try await Interruption.ends { try await bridge(central) }
        await central.invalidate()
    }

    static func bridge(_ central: CentralManager) async throws {
        try await central.whenPoweredOn(timeout: .seconds(5))
        let device = try await central.firstDiscovery(for: [UART.uuid], timeout: .seconds(30)).peripheral
        try await device.stayConnected(.never, timeout: .seconds(10), discovering: [UART.uuid]) { device in
            // Standard output has the device's bytes and nothing else.
            try FileHandle.standardError.write(contentsOf: Data("connected to \(device.displayName)\n".utf8))
            let (received, sent) = (try device.characteristic(UART.TX.self), try device.characteristic(UART.RX.self))
            // Subscribed before the first byte is sent, so that no answer is missed.
            let answers = try await received.notifications(capacity: .unbounded)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    let output = FileHandle.standardOutput
                    for try await part in answers { try output.write(contentsOf: Data(part.rawValue)) }
                }
                group.addTask {
                    for await line in Input.lines() { try await send(Bytes((line + "\n").utf8), to: sent, of: device) }
                    // Leaves time for the answer to the last line.
                    try await Task.sleep(for: .seconds(1))
                }
                try await group.next()
                group.cancelAll()
            }
        }
    }

    /// Sends bytes in parts that fit into one packet each.
    private static func send(
        _ bytes: Bytes, to sent: TypedCharacteristic<UART.RX>, of device: Peripheral
    ) async throws {
        let size = device.maximumWriteLength(for: .withoutResponse)
        for start in stride(from: 0, to: bytes.count, by: size) {
            let part = bytes[start..<min(start + size, bytes.count)]
            try await sent.write(UART.RX(rawValue: Bytes(part)), timeout: .seconds(5))
        }
    }
}
