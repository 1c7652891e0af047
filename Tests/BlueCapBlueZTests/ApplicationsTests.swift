// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
@testable import BlueCapBlueZ
import BlueCapCore
import BlueCapSerDe
import Testing

@Suite(.timeLimit(.minutes(60)))
struct ApplicationsTests {
    @Test func `a service that includes one that was not added is refused before anything is exported`() async {
        let service = LocalService(
            id: AttributeID(rawValue: 1), uuid: "180D", includedServices: [AttributeID(rawValue: 9)],
            characteristics: [])
        let failure = await OffBus().failure { $0.applications.add(service, RequestID(rawValue: 1), $0) }
        let expected = BackendFailure(
            name: BlueZError.invalidArguments, message: "an included service was not added before")
        #expect(failure == .backend(expected))
    }
}
#endif
