// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

/// As `expectRoundTrips(of:seed:inputs:atLeast:prepare:)`, with inputs that all have the size that the type needs, so
/// that few of them do.
func expectRoundTrips<T: ByteCodable & StringDeserializable & Equatable>(
    of type: T.Type, size: Int, atLeast: Int = 300, sourceLocation: SourceLocation = #_sourceLocation
) {
    expectRoundTrips(of: type, inputs: 400, atLeast: atLeast, sourceLocation: sourceLocation) { input, random in
        input = Array(input.prefix(size))
        while input.count < size { input.append(.random(in: 0...255, using: &random)) }
    }
}
