// SPDX-License-Identifier: MIT

/// Something that journals hold.
protocol JournalCodable {
    func encode(into encoder: inout JournalEncoder)
    init(from decoder: inout JournalDecoder) throws(JournalFailure)
}
