// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

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
        guard offset < value.count else { return request(.executeWrite(commit: true)) { then($0.error) } }
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
