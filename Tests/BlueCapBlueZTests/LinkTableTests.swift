// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
@testable import BlueCapBlueZ
import BlueCapCore
import Testing

struct LinkTableTests {
    private static let device = "/org/bluez/hci0/dev_C0_00_00_00_00_01"
    private static let id: PeerIdentifier = "C0:00:00:00:00:01"

    @Test func `a link is found by its name until it is removed, and a later link to the device has another name`() {
        let links = LinkTable()
        let first = links.add(Self.id, Self.device, isConnectedByOther: false)
        #expect(links[first.name] === first && links[Self.device] === first && links.link(to: Self.id) === first)
        links.remove(first)
        #expect(links[first.name] === nil && links[Self.device] === nil)
        let second = links.add(Self.id, Self.device, isConnectedByOther: false)
        #expect(links[first.name] === nil && links[second.name] === second)
    }

    @Test func `a link that is removed lives until the end of its turn`() {
        let links = LinkTable()
        weak var link: BlueZLink?
        func end() {
            let made = links.add(Self.id, Self.device, isConnectedByOther: false)
            link = made
            links.remove(made)
        }
        end()
        #expect(link != nil)
        links.release()
        #expect(link == nil)
    }

    @Test func `a device is cleared up when its last end has had its time, not an earlier one`() {
        let links = LinkTable()
        let first = links.beginClearing(Self.device)
        let second = links.beginClearing(Self.device)
        #expect(!links.endClearing(Self.device, first) && links.isClearing(Self.device))
        #expect(links.endClearing(Self.device, second) && !links.isClearing(Self.device))
    }
}
#endif
