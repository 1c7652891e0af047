// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// The values in an array of write requests, with the parts of a long value put together.
///
/// I2: one array can bring the parts of a long write, the first at offset 0 and each next one where the last ended, and
/// commands that came close together, each at offset 0.
struct WriteParts {
    /// One request of the array.
    struct Request {
        let attribute: AttributeID
        let offset: Int
        let value: Bytes
        /// The procedure of a request that is no part of a long write.
        let kind: WriteRequestKind
    }

    /// A value to be written.
    struct Part: Equatable {
        let attribute: AttributeID
        let offset: Int
        var value: Bytes
        var kind: WriteRequestKind
    }

    /// The values, in the order of their first requests.
    private(set) var parts: [Part] = []

    /// Puts an array of requests together.
    init(_ requests: [Request]) {
        for request in requests {
            if let last = parts.indices.last, parts[last].continues(with: request) {
                parts[last].value.append(contentsOf: request.value)
                parts[last].kind = .prepared
            } else {
                parts.append(
                    Part(
                        attribute: request.attribute, offset: request.offset, value: request.value,
                        kind: request.offset > 0 ? .prepared : request.kind))
            }
        }
    }
}

extension WriteParts.Part {
    fileprivate func continues(with request: WriteParts.Request) -> Bool {
        attribute == request.attribute && request.offset > 0 && request.offset == offset + value.count
    }
}
