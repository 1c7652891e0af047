// SPDX-License-Identifier: MIT

import BlueCap

/// An early thousand of values and a late one over the bus, each value on its way alone; see ``Windows``.
extension Pipeline {
    /// Values from the peer on the bus, or to it.
    func late(_ way: String) async throws -> Figures {
        switch way {
        case "notify", "packets": try await lateNotifications(way)
        case "sight": try await lateSightings()
        case "update", "update-socket", "request": try await latePublishing(way)
        default: try await lateOperations(way)
        }
    }

    private func lateNotifications(_ way: String) async throws -> Figures {
        let link = try await Link.open()
        let values = try await link.characteristic.notifications(
            transport: way == "packets" ? .socket : .standard, timeout: .seconds(60))
        return try await consume(with: link.central) {
            var (iterator, windows) = (values.makeAsyncIterator(), Windows(late: count))
            while windows.isNextWanted() {
                say("one")
                guard try await iterator.next() != nil else { leave(1, "Pipeline: the values ended") }
            }
            return windows.figures
        }
    }

    private func lateOperations(_ way: String) async throws -> Figures {
        let link = try await Link.open()
        return try await consume(with: link.central) {
            var windows = Windows(late: count)
            while windows.isNextWanted() { try await operation(way, on: link.characteristic) }
            return windows.figures
        }
    }

    /// Frames of a sensor that differ from the one before.
    private func lateSightings() async throws -> Figures {
        let central = try await Self.central()
        let scan = central.scan(options: ScanOptions(allowsDuplicates: true))
        return try await consume(with: central) {
            var (iterator, windows) = (scan.makeAsyncIterator(), Windows(late: count))
            while windows.isNextWanted() {
                say(windows.count.isMultiple(of: 2) ? "even" : "odd")
                guard try await iterator.next() != nil else { leave(1, "Pipeline: the scan ended") }
            }
            return windows.figures
        }
    }

    /// Write requests; with updates, one before each, which the peer reads before it sees the answer.
    private func latePublishing(_ way: String) async throws -> Figures {
        let (manager, characteristic) = try await publish([.read, .write, .notify])
        if way != "request" {
            characteristic.updatePolicy = .all
            let subscriptions = characteristic.subscriptions()
            say(way == "update" ? "subscribe-bus" : "subscribe-socket")
            for await _ in subscriptions { break }
        }
        let requests = manager.writeRequests()
        return try await consume(with: manager) {
            var windows = Windows(late: count)
            func send() throws {
                if way != "request" { try characteristic.update([UInt8(truncatingIfNeeded: windows.count)]) }
                say("one")
            }
            _ = windows.isNextWanted()
            try send()
            for await request in requests {
                request.accept()
                guard windows.isNextWanted() else { break }
                try send()
            }
            return windows.figures
        }
    }
}
