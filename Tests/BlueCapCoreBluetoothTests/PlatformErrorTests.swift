// SPDX-License-Identifier: MIT

import BlueCapCore
import Testing

@testable import BlueCapCoreBluetooth

struct PlatformErrorTests {
    private func failure(_ domain: PlatformError.Domain, _ code: Int) -> OperationFailure {
        PlatformError(domain: domain, code: code, text: "text").operationFailure
    }

    private func backendFailure(_ code: Int) -> BackendFailure? {
        if case .backend(let failure) = failure(.bluetooth, code) { failure } else { nil }
    }

    @Test func `F4: an error of the peer is its ATT code, with a name or without`() {
        #expect(failure(.attribute, 5) == .att(.insufficientAuthentication))
        #expect(failure(.attribute, 114) == .att(ATTError(rawValue: 114)))
        #expect(failure(.attribute, 255) == .att(ATTError(rawValue: 0xFF)))
    }

    @Test(arguments: [-1, 256, 9_999, Int.min, Int.max])
    func `F4: a number of the peer's that is no octet is kept, and is no ATT code`(_ code: Int) {
        guard case .backend(let failure) = failure(.attribute, code) else {
            Issue.record("\(code) is taken for an ATT code")
            return
        }
        #expect(failure.name == "CBATTError.\(code)")
    }

    @Test func `F3: a link that is gone is a link that is gone`() {
        for code in [3, 5, 7] { #expect(failure(.bluetooth, code) == .disconnected) }
    }

    @Test func `an operation that the system does not have is unsupported`() {
        #expect(failure(.bluetooth, 13) == .unsupported)
    }

    @Test func `F2: a timeout may pass, and lost keys do not`() {
        #expect(backendFailure(6)?.isTransient == true)
        #expect(backendFailure(10)?.isTransient == true)
        #expect(backendFailure(14)?.isTransient == false)
        #expect(backendFailure(14)?.advice != nil)
        #expect(backendFailure(15)?.isTransient == false)
    }

    @Test func `other errors have the name of their code`() {
        #expect(backendFailure(8)?.name == "CBError.uuidNotAllowed")
        #expect(backendFailure(18)?.name == "CBError.leGattNearBackgroundNotificationLimit")
    }

    @Test func `F5: a number without a name stands for itself, and may pass`() {
        for code in [19, -7, Int.max, Int.min] {
            #expect(backendFailure(code)?.name == "CBError.\(code)")
            #expect(backendFailure(code)?.isTransient == true)
        }
    }

    @Test func `an error of another domain keeps its name and text`() {
        #expect(
            failure(.other("NSCocoaErrorDomain"), 4)
                == .backend(BackendFailure(name: "NSCocoaErrorDomain.4", message: "text")))
    }

    @Test func `a peer that ends the link in order has said goodbye`() {
        #expect(PlatformError(domain: .bluetooth, code: 7, text: "").linkFailure.isGoodbye)
        #expect(!PlatformError(domain: .bluetooth, code: 6, text: "").linkFailure.isGoodbye)
    }
}
