// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe

/// The client's half of the Attribute Protocol on one link: one procedure after another, one request in flight.
final class ATTClient {
    /// How long a request may stay unanswered (Core Specification, Vol 3, Part F, 3.3.3).
    private static let transactionTimeout = Duration.seconds(30)

    typealias Procedure = (_ finish: @escaping () -> Void) -> Void

    private(set) unowned var link: VirtualLink
    private var procedures = RingBuffer<Procedure>()
    private var isBusy = false
    private var outstanding: ((ATTResult) -> Void)?
    private var timeout: Timeline.Entry?
    private var isStopped = false

    init(link: VirtualLink) { self.link = link }

    /// Runs a procedure after those before it; it calls `finish` when it is through.
    func enqueue(_ procedure: @escaping Procedure) {
        guard !isStopped else { return }
        procedures.append(procedure)
        runNext()
    }

    private func runNext() {
        guard !isBusy, !isStopped, let procedure = procedures.popFirst() else { return }
        isBusy = true
        procedure { [weak self] in
            self?.isBusy = false
            self?.runNext()
        }
    }

    /// Sends a request; an attribute that needs an encrypted link gets one, where both sides agree, and is asked again.
    func request(_ request: ATTRequest, then: @escaping (ATTResult) -> Void) {
        send(request) { [weak self] result in
            guard let self, case .failure(let error) = result, link.level == .open,
                error == .insufficientAuthentication || error == .insufficientEncryption
            else { return then(result) }
            link.security.run { [weak self] failure in
                guard let self, !isStopped else { return }
                if failure == nil { send(request, then: then) } else { then(result) }
            }
        }
    }

    private func send(_ request: ATTRequest, then: @escaping (ATTResult) -> Void) {
        guard !isStopped else { return }
        outstanding = then
        timeout = link.timeline.schedule(after: Self.transactionTimeout) { [weak self] in
            self?.link.end(.transactionTimeout)
        }
        link.send(.request(request))
    }

    func receive(_ result: ATTResult) {
        guard let then = outstanding else { return }
        outstanding = nil
        link.timeline.cancel(timeout)
        then(result)
    }

    /// Forgets everything; the link has ended.
    func stop() {
        isStopped = true
        link.timeline.cancel(timeout)
        outstanding = nil
        procedures = RingBuffer()
    }
}
