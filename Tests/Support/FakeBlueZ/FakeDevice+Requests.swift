// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapTesting

/// The daemon's requests over the link, one at a time as ATT demands; on the fake's thread only.
extension FakeDevice {
    /// A request to the device that is not answered yet.
    final class Request {
        fileprivate let place: PeerAttribute
        fileprivate let access: PeerAccess
        fileprivate let answer: (ATTError?) -> Void
        fileprivate var timer: ClockTimer?
        /// Whether it was repeated after pairing.
        fileprivate var isRepeated = false

        init(_ place: PeerAttribute, _ access: PeerAccess, _ answer: @escaping (ATTError?) -> Void) {
            (self.place, self.access, self.answer) = (place, access, answer)
        }
    }

    /// Asks for an access, after all earlier requests; `answer` is called when the device answers, which may be never.
    func access(_ place: PeerAttribute, _ access: PeerAccess, _ answer: @escaping (ATTError?) -> Void) {
        requests.append(Request(place, access, answer))
        if requests.count == 1 { send(requests[0]) }
    }

    /// After 30 s without an answer bluetoothd gives up the link and all waiting requests (`unanswered-read.trace`).
    private func send(_ request: Request) {
        guard !needsSecurity(request.place) else { return answered(request, .insufficientEncryption) }
        request.timer = after(.seconds(30)) { device in
            for call in device.gatt?.takePending() ?? [] { call.fail(.linkLost) }
            device.loseLinkSoon()
        }
        far?.access(request.place, request.access) { [weak self] in self?.answered(request, $0) }
    }

    private func needsSecurity(_ place: PeerAttribute) -> Bool {
        guard place.descriptor == nil, !isSecure, let services = far?.services,
            services.indices.contains(place.service),
            services[place.service].characteristics.indices.contains(place.characteristic)
        else { return false }
        let characteristic = services[place.service].characteristics[place.characteristic]
        return max(characteristic.readSecurity ?? .open, characteristic.writeSecurity ?? .open) > .open
    }

    /// A request that needs a more secure link is repeated once pairing has secured it; a request that is refused for
    /// lack of authentication even then is never answered (`security-errors.trace`).
    private func answered(_ request: Request, _ error: ATTError?) {
        guard requests.first === request else { return }
        request.timer?.cancel()
        let isAuthentication = error == .insufficientAuthentication
        if isAuthentication || error == .insufficientEncryption, !request.isRepeated {
            request.isRepeated = true
            if daemon.givesUpToPair {
                answered(request, .unlikelyError)
                return secure {}
            }
            return secure { [weak self] in self?.send(request) }
        }
        requests.removeFirst()
        let next = requests.first
        if !isAuthentication { request.answer(error) }
        // Another call may have begun the request already, and the answer may have ended the link.
        if let next, requests.first === next { send(next) }
    }

    /// The link is down: nothing is answered any more.
    func endRequests() {
        for request in requests { request.timer?.cancel() }
        requests = []
    }
}
#endif
