// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

extension ATTClient {
    /// All primary services.
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

    /// The characteristics in a range of handles.
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
