// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapRuntime

/// The display of an emulated device: it shows the passkey of each pairing, and refuses centrals where none is typed.
struct PasskeyDisplay: Sendable {
    private let requests: AsyncStream<PairingRequest>
    private let accesses: AccessReport
    private let typist: PasskeyTypist?

    /// Listens from now on.
    ///
    /// - Parameter typist: Reads the display, in a virtual world.
    init(_ manager: PeripheralManager, _ accesses: AccessReport, _ typist: PasskeyTypist?) {
        requests = manager.pairingRequests(capability: .displayOnly)
        self.accesses = accesses
        self.typist = typist
    }

    /// Shows passkeys until the task is cancelled.
    fileprivate func run() async throws {
        for await request in requests {
            guard case .displayPasskey(let passkey) = request.kind else {
                request.reject()
                try accesses.refusedPairing(request.peer.text)
                continue
            }
            try accesses.passkey(PairingQuestion.digits(passkey), for: request.peer.text)
            typist?.read(passkey)
        }
    }
}

extension PasskeyDisplay? {
    /// Shows passkeys, if there is a display, until the task is cancelled.
    func run(on clock: BlueCapClock) async throws {
        try await self?.run()
        // The end of the questions is not the end of the device.
        try await clock.sleepUntilCancelled()
    }
}

/// A user in a virtual world who reads a passkey at one device and types it at the other.
struct PasskeyTypist: Sendable {
    private let digits = Mailbox<UInt32, Never>(capacity: .newest(1))

    func read(_ passkey: UInt32) { _ = digits.push(passkey) }

    /// Answers what the other device asks, until the task is cancelled.
    func answer(_ requests: AsyncStream<PairingRequest>) async {
        for await request in requests {
            if request.kind == .enterPasskey, let passkey = await digits.next() {
                request.accept(passkey: passkey)
            } else {
                request.reject()
            }
        }
    }
}
