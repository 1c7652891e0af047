// SPDX-License-Identifier: MIT

import BlueCapSerDe

extension OutputRawSpan {
    /// Appends two to four fields of a value one behind the other. Embedded mode has no loop over a parameter pack.
    mutating func write<Third: ByteEncodable, Fourth: ByteEncodable>(
        fields first: some ByteEncodable, _ second: some ByteEncodable, _ third: Third = Bytes(),
        _ fourth: Fourth = Bytes()
    ) {
        first.encode(into: &self)
        second.encode(into: &self)
        third.encode(into: &self)
        fourth.encode(into: &self)
    }
}
