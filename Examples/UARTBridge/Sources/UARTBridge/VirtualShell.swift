// SPDX-License-Identifier: MIT

import BlueCap

/// A device that answers each line in capitals.
struct VirtualShell: Sendable {
    let peripheral: VirtualPeripheral

    init() {
        let answers = VirtualCharacteristic(Nordic.UARTService.TX.uuid, properties: .notify)
        let commands = VirtualCharacteristic(
            Nordic.UARTService.RX.uuid, properties: [.write, .writeWithoutResponse],
            onWrite: { _, bytes in
                answers.notify(Bytes(String(decoding: bytes, as: UTF8.self).uppercased().utf8))
                return .success(())
            })
        peripheral = VirtualPeripheral(
            name: "Shell", services: [VirtualService(Nordic.UARTService.uuid, characteristics: [answers, commands])])
    }
}
