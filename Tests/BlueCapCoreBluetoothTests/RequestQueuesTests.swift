// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import Testing

@testable import BlueCapCoreBluetooth

struct RequestQueuesTests {
    private let attribute = AttributeID(rawValue: 1)

    @Test func `answers go to the requests of a line in the order in which they were made`() {
        var queues = RequestQueues()
        queues.add(RequestID(rawValue: 1), to: .read(attribute))
        queues.add(RequestID(rawValue: 2), to: .read(attribute))
        #expect(queues.take(.read(attribute))?.id == RequestID(rawValue: 1))
        #expect(queues.take(.read(attribute))?.id == RequestID(rawValue: 2))
        #expect(queues.take(.read(attribute)) == nil)
        #expect(queues.count == 0)
    }

    @Test func `a read and a write of one attribute do not take each other's answers`() {
        var queues = RequestQueues()
        queues.add(RequestID(rawValue: 1), to: .read(attribute))
        queues.add(RequestID(rawValue: 2), to: .write(attribute))
        #expect(queues.take(.write(attribute))?.id == RequestID(rawValue: 2))
        #expect(queues.waits(.read(attribute)))
        #expect(!queues.waits(.write(attribute)))
    }

    @Test func `requests remember the UUIDs that they asked for`() {
        var queues = RequestQueues()
        queues.add(RequestID(rawValue: 1), asking: ["180F"], to: .services)
        #expect(queues.take(.services) == RequestQueues.Entry(id: RequestID(rawValue: 1), uuids: ["180F"]))
    }

    @Test func `a change of the database ends the requests for its services' attributes and no others`() {
        var queues = RequestQueues()
        let (gone, kept) = (AttributeID(rawValue: 65_536), AttributeID(rawValue: 2 * 65_536))
        let attribute = AttributeID(rawValue: gone.rawValue + 32)
        queues.add(RequestID(rawValue: 5), to: .characteristics(kept))
        queues.add(RequestID(rawValue: 6), to: .read(AttributeID(rawValue: kept.rawValue + 32)))
        queues.add(RequestID(rawValue: 4), to: .write(attribute))
        queues.add(RequestID(rawValue: 1), to: .services)
        queues.add(RequestID(rawValue: 2), to: .rssi)
        queues.add(RequestID(rawValue: 3), to: .characteristics(gone))
        #expect(queues.takeAttributes(of: [gone]) == [RequestID(rawValue: 3), RequestID(rawValue: 4)])
        #expect(queues.count == 4)
    }
}
