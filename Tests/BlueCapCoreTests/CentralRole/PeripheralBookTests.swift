// SPDX-License-Identifier: MIT

import Testing

@testable import BlueCapCore

/// A book of its own, without a manager.
@Suite("Peripheral book", .timeLimit(.minutes(60)))
struct PeripheralBookTests {
    @Test func `a full book makes room for a new peripheral, and never forgets one that is wanted`() async throws {
        try await CentralRooms.run { stage, _ in
            await stage.act { stage in
                let book = PeripheralBook(PublishedCentralState(), maximum: 2)
                let wanted = book.record(for: .one, stage)
                _ = wanted.scopes.join(.never, stage)
                _ = book.record(for: .two, stage)
                #expect(book.isFull)
                _ = book.record(for: .three, stage)
                #expect(book.all.map(\.peripheral.identifier) == [.one, .three])
                #expect(book.known(.one) === wanted)
            }
        }
    }

    @Test func `a record that was forgotten is neither known nor recent`() async throws {
        try await CentralRooms.run { stage, _ in
            await stage.act { stage in
                let book = PeripheralBook(PublishedCentralState(), maximum: 2)
                let record = book.record(for: .one, stage)
                #expect(book.recent(.one) === record)
                book.forget(.one, stage)
                #expect(book.recent(.one) == nil)
                #expect(book.known(record.peripheral) == nil)
            }
        }
    }

    @Test func `a forgotten peripheral that is held returns with a new record`() async throws {
        try await CentralRooms.run { stage, _ in
            await stage.act { stage in
                let book = PeripheralBook(PublishedCentralState(), maximum: 2)
                let before = book.record(for: .one, stage)
                book.forget(.one, stage)
                let after = book.record(for: .one, stage)
                #expect(after !== before)
                #expect(after.peripheral === before.peripheral)
            }
        }
    }

    @Test func `an object beside that of the book is refused`() async throws {
        try await CentralRooms.run { stage, _ in
            await stage.act { stage in
                let book = PeripheralBook(PublishedCentralState(), maximum: 2)
                let other = Peripheral(identifier: .one, manager: nil, clock: stage.clock)
                _ = book.record(for: .one, stage)
                #expect(book.known(other) == nil)
                #expect(throws: PeripheralError.invalidated) { try book.record(of: other, stage) }
            }
        }
    }
}
