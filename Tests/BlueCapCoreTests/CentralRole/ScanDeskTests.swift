// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe
import Testing

@testable import BlueCapCore

/// A desk of its own, without a manager.
@Suite("Scan desk", .timeLimit(.minutes(60)))
struct ScanDeskTests {
    @Test func `the end of the last scan takes the request back, and the end of all does not`() async throws {
        try await CentralRooms.run { stage, _ in
            await stage.act { stage in
                let desk = ScanDesk(PublishedCentralState())
                #expect(throws: Never.self) { desk.end(try desk.begin(["180F"], stage), stage) }
                #expect(desk.count == 0)
                #expect(throws: Never.self) { try desk.begin(["180F"], stage) }
                let wasRequested = desk.endAll(.poweredOff, stage)
                let isRequested = desk.endAll(.poweredOff, stage)
                #expect(wasRequested && !isRequested)
            }
            let request = ScanRequest(services: ["180F"], allowsDuplicates: true)
            #expect(await stage.scripted.scans == [request, nil, request])
        }
    }

    @Test func `a scan with a time of its own is not run again by the next program`() async throws {
        try await CentralRooms.run { stage, _ in
            await stage.act { stage in
                let desk = ScanDesk(PublishedCentralState())
                #expect(throws: Never.self) { try desk.begin([], timeout: .seconds(1), stage) }
                #expect(throws: Never.self) { try desk.begin(["180F"], stage) }
                #expect(desk.restorable.map(\.services) == [["180F"]])
                desk.endAll(.invalidated, stage)
            }
        }
    }
}

extension ScanDesk {
    fileprivate func begin(
        _ services: Set<BluetoothUUID>, timeout: Duration? = nil, _ owner: isolated CentralRooms
    ) throws(CentralManagerError) -> UInt64 {
        let box = ScanRun.Box(capacity: .newest(1))
        return try begin(services, ScanOptions(), timeout: timeout, into: box, owner)
    }
}
