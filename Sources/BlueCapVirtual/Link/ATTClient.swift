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

    /// Sends a request; an attribute that needs an encrypted link gets one, where both sides agree, and is asked again:
    /// by `again` where the request alone does not do it.
    func request(_ request: ATTRequest, again: (() -> Void)? = nil, then: @escaping (ATTResult) -> Void) {
        send(request) { [weak self] result in
            guard let self, case .failure(let error) = result, link.level == .open,
                error == .insufficientAuthentication || error == .insufficientEncryption
            else { return then(result) }
            link.security.run { [weak self] failure in
                guard let self, !isStopped else { return }
                guard failure == nil else { return then(result) }
                if let again { again() } else { send(request, then: then) }
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

extension ATTClient {
    /// Reads a whole value: one request, and one more for each packet that came back full.
    func readValue(_ handle: UInt16, then: @escaping (Result<Bytes, ATTError>) -> Void) {
        request(.read(handle)) { [weak self] result in
            switch result {
            case .success(.value(let part)): self?.readRest(handle, Array(part), of: part.count, then: then)
            case .success: then(.failure(.invalidPDU))
            case .failure(let error): then(.failure(error))
            }
        }
    }

    private func readRest(
        _ handle: UInt16, _ start: [UInt8], of count: Int, then: @escaping (Result<Bytes, ATTError>) -> Void
    ) {
        guard count == link.maximumTransmissionUnit - 1, start.count < 512 else {
            return then(.success(Bytes(start)))
        }
        request(.readBlob(handle, offset: start.count)) { [weak self] result in
            switch result {
            case .success(.value(let part)): self?.readRest(handle, start + part, of: part.count, then: then)
            case .success: then(.failure(.invalidPDU))
            case .failure(.attributeNotLong): then(.success(Bytes(start)))
            case .failure(let error): then(.failure(error))
            }
        }
    }

    /// Writes a whole value with one request, or with prepared writes where it does not fit.
    func writeValue(_ handle: UInt16, _ value: Bytes, then: @escaping (ATTError?) -> Void) {
        if value.count <= link.maximumTransmissionUnit - 3 {
            return request(.write(handle, value)) { then($0.error) }
        }
        prepare(handle, value, from: 0, then: then)
    }

    private func prepare(_ handle: UInt16, _ value: Bytes, from offset: Int, then: @escaping (ATTError?) -> Void) {
        guard offset < value.count else {
            // The server has emptied its queue when it refuses to write it.
            let again = { [weak self] in _ = self?.prepare(handle, value, from: 0, then: then) }
            return request(.executeWrite(commit: true), again: again) { then($0.error) }
        }
        let part = value.part(from: offset, room: link.maximumTransmissionUnit - 5)
        request(.prepareWrite(handle, offset: offset, part)) { [weak self] result in
            guard let self else { return }
            guard let error = result.error else {
                return prepare(handle, value, from: offset + part.count, then: then)
            }
            request(.executeWrite(commit: false)) { _ in then(error) }
        }
    }
}

extension Result where Failure == ATTError {
    var error: ATTError? {
        if case .failure(let error) = self { return error }
        return nil
    }
}

extension ATTClient {
    func findServices(then: @escaping (Result<[ServiceEntry], ATTError>) -> Void) {
        collect(from: 1, to: .max, request: { first, _ in .readServices(from: first) }, then: then) { response in
            if case .services(let entries) = response { return (entries, entries.last?.end) }
            return ([], nil)
        }
    }

    /// The services that stand included in a range of handles.
    func findIncludes(_ range: ClosedRange<UInt16>, then: @escaping (Result<[IncludeEntry], ATTError>) -> Void) {
        collect(
            from: range.lowerBound, to: range.upperBound, request: { .readIncludes(from: $0, to: $1) }, then: then
        ) { response in
            if case .includes(let entries) = response { return (entries, entries.last?.handle) }
            return ([], nil)
        }
    }

    func findCharacteristics(
        _ range: ClosedRange<UInt16>, then: @escaping (Result<[CharacteristicEntry], ATTError>) -> Void
    ) {
        collect(
            from: range.lowerBound, to: range.upperBound, request: { .readCharacteristics(from: $0, to: $1) },
            then: then
        ) { response in
            if case .characteristics(let entries) = response { return (entries, entries.last?.value) }
            return ([], nil)
        }
    }

    /// The types of all attributes in a range of handles.
    func findInformation(
        _ range: ClosedRange<UInt16>, then: @escaping (Result<[InformationEntry], ATTError>) -> Void
    ) {
        collect(
            from: range.lowerBound, to: range.upperBound, request: { .findInformation(from: $0, to: $1) }, then: then
        ) { response in
            if case .information(let entries) = response { return (entries, entries.last?.handle) }
            return ([], nil)
        }
    }

    /// Asks again from where the last answer ended, until the server has no more.
    private func collect<Entry>(
        from first: UInt16, to last: UInt16, found: [Entry] = [],
        request: @escaping (UInt16, UInt16) -> ATTRequest,
        then: @escaping (Result<[Entry], ATTError>) -> Void,
        entries: @escaping (ATTResponse) -> ([Entry], UInt16?)
    ) {
        self.request(request(first, last)) { [weak self] result in
            switch result {
            case .failure(.attributeNotFound):
                then(.success(found))
            case .failure(let error):
                then(.failure(error))
            case .success(let response):
                let (more, end) = entries(response)
                guard let end, end < last else { return then(.success(found + more)) }
                self?.collect(
                    from: end + 1, to: last, found: found + more, request: request, then: then, entries: entries)
            }
        }
    }
}
