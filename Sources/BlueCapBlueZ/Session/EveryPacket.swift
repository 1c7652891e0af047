// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapKernel
import BlueCapLoop

/// The one monitor of an adapter's packets at the kernel, shared by this process's managers. Loop only.
final class EveryPacket {
    private let loop: EventLoop
    /// The number of the adapter.
    private let controller: UInt16
    private var clients: [UInt64: (PacketMonitor.Event) -> Void] = [:]
    private var isHearing = false
    private let open: ManagementOpening
    private lazy var monitor = PacketMonitor(on: loop, open: open) { [weak self] in self?.take($0) }

    init(adapter: String, on loop: EventLoop, open: @escaping ManagementOpening) {
        (self.loop, self.open) = (loop, open)
        controller = BlueZPath.controller(of: adapter)
    }

    /// Sets what a manager does with the monitor's events; nil for a manager that does not ask for packets any more.
    func set(_ handler: ((PacketMonitor.Event) -> Void)?, for manager: UInt64) {
        let hadClients = !clients.isEmpty
        clients[manager] = handler
        if hadClients, clients.isEmpty { monitor.stop() }
        guard let handler else { return }
        if hadClients {
            if isHearing { handler(.hears) }
        } else {
            isHearing = false
            monitor.start(controller: controller)
        }
    }

    private func take(_ event: PacketMonitor.Event) {
        let all = clients.values
        switch event {
        case .received: break
        case .hears: isHearing = true
        case .isDeaf: isHearing = false
        case .failed:
            isHearing = false
            clients = [:]
        }
        for client in all { client(event) }
    }
}

extension BackendFailure {
    /// The reason of the kernel against a request.
    init(_ error: ManagementError) {
        let advice: String? =
            switch error {
            case .notPermitted: "run the program as root, or give it the capability, as by setcap cap_net_admin+ep"
            case .noBluetooth, .noAdapter, .unsupported, .unanswered, .refused, .system: nil
            }
        self.init(name: "Management.\(error.name)", message: "\(error)", advice: advice)
    }
}
#endif
