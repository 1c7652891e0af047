// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
@testable import BlueCapBlueZ
import Testing

struct NotifyingManagersTests {
    private let path = "/org/bluez/hci0/dev_C0_00_00_00_00_01/service0001/char0002"

    @Test func `only the first manager of a characteristic starts its notifications, and only the last ends them`() {
        var managers = NotifyingManagers()
        let starts = [managers.add(1, on: path), managers.add(2, on: path)]
        #expect(starts == [true, false])
        let endsEarly = managers.remove(1, from: path)
        #expect(!endsEarly && managers.paths == [path])
        let ends = managers.remove(2, from: path)
        #expect(ends && managers.paths.isEmpty)
        let startsAgain = managers.add(1, on: path)
        #expect(startsAgain)
    }
}
#endif
