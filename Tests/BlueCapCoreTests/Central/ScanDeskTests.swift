// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe
import Testing

@testable import BlueCapCore

/// A desk of its own, beside that of the manager.
@Suite("Scan desk", .timeLimit(.minutes(60)))
struct ScanDeskTests {
    @Test func `the end of the last scan takes the request back, and the end of all does not`() async throws {
        try await World.run { world in
            await world.central.act { central in
                let desk = ScanDesk(PublishedCentralState())
                let scan = central.scan(for: ["180F"])
                #expect(throws: Never.self) {
                    desk.end(try desk.begin(scan, into: ScanRun.Box(capacity: .newest(1)), central), central)
                }
                #expect(desk.count == 0)
                #expect(throws: Never.self) { try desk.begin(scan, into: ScanRun.Box(capacity: .newest(1)), central) }
                let wasRequested = desk.endAll(.poweredOff, central)
                let isRequested = desk.endAll(.poweredOff, central)
                #expect(wasRequested && !isRequested)
            }
            let request = ScanRequest(services: ["180F"], allowsDuplicates: true)
            #expect(await world.backend.scans == [request, nil, request])
        }
    }

    @Test func `a scan with a time of its own is not run again by the next program`() async throws {
        try await World.run { world in
            await world.central.act { central in
                let desk = ScanDesk(PublishedCentralState())
                let (short, long) = (central.scan(timeout: .seconds(1)), central.scan(for: ["180F"]))
                #expect(throws: Never.self) { try desk.begin(short, into: ScanRun.Box(capacity: .newest(1)), central) }
                #expect(throws: Never.self) { try desk.begin(long, into: ScanRun.Box(capacity: .newest(1)), central) }
                #expect(desk.restorable.map(\.services) == [["180F"]])
                desk.endAll(.invalidated, central)
            }
        }
    }
}
