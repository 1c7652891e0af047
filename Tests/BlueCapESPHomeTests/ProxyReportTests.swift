// SPDX-License-Identifier: MIT

#if ESPHome
import BlueCapCore
import BlueCapESPHome
import Testing

@testable import BlueCapCommand

@Suite("The events of a proxy, printed", .timeLimit(.minutes(60)))
struct ProxyReportTests {
    private static let device = PeerIdentifier("C0:11:22:33:44:55")

    /// The date is `now`.
    private func expect(_ report: ProxyReport, _ fields: String, _ line: String) {
        #expect(JSONLine.text(report) == "{\(fields)}")
        #expect(report.line == line)
    }

    @Test(
        arguments: [
            (
                .joined("Home Assistant"),
                #""client":"Home Assistant","date":"now","event":"client","state":"joined""#, "joined  Home Assistant"
            ),
            (
                .left("a\u{1B}[2J"), #""client":"a\u001b[2J","date":"now","event":"client","state":"left""#,
                "left  a\u{FFFD}[2J"
            ),
            (
                .refused(nil, .wrongKey),
                #""date":"now","event":"client","reason":"its key is another one","state":"refused""#,
                "refused  (its key is another one)"
            ),
            (
                .refused("judge", .silent),
                #""client":"judge","date":"now","event":"client","reason":"it was silent for too long","state":"refused""#,
                "refused  judge  (it was silent for too long)"
            ),
            (
                .linked(device),
                #""date":"now","event":"link","id":"C0:11:22:33:44:55","proxy":"cellar","state":"connected""#,
                "connected  C0:11:22:33:44:55  (for a client)"
            ),
            (
                .unlinked(device),
                #""date":"now","event":"link","id":"C0:11:22:33:44:55","proxy":"cellar","state":"disconnected""#,
                "disconnected  C0:11:22:33:44:55  (for a client)"
            ),
            (
                .radioLost(.poweredOff), #""date":"now","event":"radio","reason":"poweredOff","state":"lost""#,
                "no radio (poweredOff): waiting for it"
            ),
            (.radioReturned, #""date":"now","event":"radio","state":"on""#, "the radio is back"),
        ] as [(ProxyEvent, String, String)])
    func `are of clients, of links and of the radio`(event: ProxyEvent, fields: String, line: String) {
        expect(ProxyReport(event, of: "cellar", "now"), fields, line)
    }

    @Test func `have a reason of its own for each connection that the proxy ends`() {
        let lines = Set(ProxyFault.allCases.map { ProxyReport(.refused(nil, $0), of: "cellar", "now").line })
        #expect(lines.count == ProxyFault.allCases.count)
    }

    @Test func `say whether the network knows the proxy`() {
        expect(
            ProxyReport(AnnouncementEvent.announced("cellar"), "now"),
            #""date":"now","event":"announcement","name":"cellar","state":"announced""#,
            "announced in the local network as cellar")
        expect(
            ProxyReport(AnnouncementEvent.withdrawn("no Avahi"), "now"),
            #""date":"now","event":"announcement","reason":"no Avahi","state":"withdrawn""#,
            "not announced in the local network (no Avahi): type the address")
    }

    @Test func `begin with where the proxy listens, and name the file of a new key`() {
        let identity = ProxyIdentity(
            name: "Cellar", address: "02:00:00:00:00:01", bluetoothAddress: "00:00:5E:00:53:01", version: "1")
        for isEncrypted in [true, false] {
            expect(
                .listening(identity, port: 6053, isEncrypted: isEncrypted, "now"),
                #""address":"02:00:00:00:00:01","bluetoothAddress":"00:00:5E:00:53:01","date":"now","#
                    + #""encrypted":\#(isEncrypted),"event":"proxy","name":"cellar","port":6053,"state":"listening""#,
                "cellar at port 6053\(isEncrypted ? "" : ", in clear text"): add the integration ESPHome in Home "
                    + "Assistant, with the address of this machine")
        }
        expect(
            .madeKey("folder/key", "now"), #""date":"now","event":"key","path":"folder/key""#,
            "made a key, which Home Assistant asks for: it is in folder/key")
    }

    @Test func `end with what was counted`() {
        var counts = ProxyCounts()
        (counts.clients, counts.links, counts.advertisements) = (1, 2, 3000)
        counts.refused = [.wrongKey: 2, .silent: 1]
        (counts.droppedAdvertisements, counts.droppedValues, counts.failedRequests) = (4, 5, 6)
        expect(
            .ended(counts, "now"),
            #""advertisements":3000,"clients":1,"date":"now","droppedAdvertisements":4,"droppedValues":5,"#
                + #""event":"proxy","failedRequests":6,"links":2,"refused":3,"state":"ended""#,
            "1 client, 3 refused, 3000 advertisements, 9 dropped, 2 connections")
    }
}
#endif
