// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapKernel

// Requests that the kernel answers, as bluetoothd has no call for them.
extension BlueZCentralBackend {
    /// Reads the signal strength of a connection. Whatever the kernel's reason against it is, the manager has that of a
    /// sighting instead.
    func readStrength(_ request: CentralRequest, on link: BlueZLink) {
        guard let (address, place) = kernel(of: link) else { return answer(request, .failure(.rssiUnavailable)) }
        let reply = callback { (me, strength: Int?) in
            me.answer(request, strength.map { .success(.rssi($0)) } ?? .failure(.rssiUnavailable))
        }
        ManagementCall.readStrength(of: address, at: place) { reply((try? $0.get()) ?? nil) }
    }

    func set(_ parameters: ConnectionParameters, _ request: CentralRequest, on link: BlueZLink) {
        guard let (address, place) = kernel(of: link) else { return answer(request, .failure(.disconnected)) }
        let reply = callback { (me, result: Result<Bool, ManagementError>) in
            switch result {
            case .success(let isNow): me.answer(request, .success(.parameters(isNow ? .now : .nextConnection)))
            case .failure(let error): me.answer(request, .failure(.backend(BackendFailure(error))))
            }
        }
        let numbers = KernelParameters(
            interval: parameters.intervalUnits, latency: UInt16(clamping: parameters.latency),
            timeout: parameters.supervisionTimeoutUnits)
        ManagementCall.load(numbers, for: address, at: place, then: reply)
    }

    /// The device of a link at the kernel; nil for one that is gone.
    private func kernel(of link: BlueZLink) -> (KernelAddress, ManagementPlace)? {
        guard let session, let adapter, let address = kernelAddress(of: link) else { return nil }
        return (address, session.kernel(of: adapter))
    }

    /// The address of a link's device at the kernel, which knows one with a resolved address by its identity, as BlueZ
    /// does; nil for one that is gone.
    func kernelAddress(of link: BlueZLink) -> KernelAddress? {
        guard let facts = facts(link.path), let text = facts.identifier?.text else { return nil }
        return KernelAddress(text, isRandom: facts.hasRandomAddress ?? false)
    }
}
#endif
