// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSharedRadio
import BlueCapTesting
import BlueCapVirtual

/// The way to a radio in the same process, on its executor and its clock: every frame is encoded and decoded, and
/// nothing takes real time.
struct LoopbackDoor: RadioDoor {
    let radio: VirtualRadio

    var executor: any BackendExecutor { radio.executor }

    func open(_ receive: @escaping @Sendable (FrameArrival) -> Void) -> any FrameChannel {
        let session = GuestSession(radio: radio, addresses: GuestAddresses())
        let near = LoopbackEnd(executor) { arrival in session.onExecutor { $0.take(arrival) } }
        let far = LoopbackEnd(executor, receive)
        session.later { $0.open(far) }
        return near
    }
}

/// What is sent on it arrives at the other end, in order.
private final class LoopbackEnd: FrameChannel {
    let isSlow = false
    private let executor: any BackendExecutor
    private let deliver: @Sendable (FrameArrival) -> Void
    private let isOpen = Locked(true)

    init(_ executor: any BackendExecutor, _ deliver: @escaping @Sendable (FrameArrival) -> Void) {
        (self.executor, self.deliver) = (executor, deliver)
    }

    func send(_ frame: [UInt8]) {
        guard isOpen.withLock({ $0 }) else { return }
        executor.submit { [deliver] in deliver(.frame(frame)) }
    }

    func close() {
        let wasOpen = isOpen.withLock { isOpen in
            defer { isOpen = false }
            return isOpen
        }
        if wasOpen { executor.submit { [deliver] in deliver(.ended(nil)) } }
    }
}

extension VirtualWorldBackends {
    /// Managers that are guests of the radio.
    static func guests(of radio: VirtualRadio) -> Self {
        Self(
            central: { SharedCentralBackend(LoopbackDoor(radio: radio), address: $0.address) },
            peripheral: { SharedPeripheralBackend(LoopbackDoor(radio: radio), address: $0.address) })
    }

    /// The same over a socket.
    static func guests(at path: String) -> Self {
        Self(
            central: { SharedCentralBackend(at: path, address: $0.address) },
            peripheral: { SharedPeripheralBackend(at: path, address: $0.address) })
    }
}
