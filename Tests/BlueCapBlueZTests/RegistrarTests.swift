// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
@testable import BlueCapBlueZ
import Testing

struct RegistrarTests {
    @Test func `registrations are lost with each new life of the daemon, and that is reported once`() {
        let registrar = Registrar()
        registrar.begin(0)
        #expect(!registrar.takeLoss())
        registrar.begin(1)
        #expect(registrar.takeLoss())
        #expect(!registrar.takeLoss())
        registrar.begin(1)
        #expect(!registrar.takeLoss())
    }

    @Test func `registrations that the daemon dropped are lost, though it lives on`() {
        let registrar = Registrar()
        registrar.begin(0)
        registrar.lose()
        registrar.begin(0)
        #expect(registrar.takeLoss())
    }
}
#endif
