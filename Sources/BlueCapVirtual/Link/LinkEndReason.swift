// SPDX-License-Identifier: MIT

import BlueCapCore

/// Why a link ended (Core Specification, Vol 1, Part F).
enum LinkEndReason {
    /// The central's side ended it.
    case local
    /// The peripheral ended it.
    case remote
    /// The peripheral ended it for want of room for another central.
    case remoteLowResources
    /// No packet was heard for the supervision timeout.
    case supervisionTimeout
    /// A request stayed without an answer for 30 s, so the link cannot be used any more.
    case transactionTimeout
    /// The peripheral refused the connection.
    case refused
    /// The adapter was switched off.
    case radioOff
    /// The adapter was taken away.
    case radioGone

    /// The reason as a backend reports it; nil where the program itself asked for the end.
    var failure: BackendFailure? {
        switch self {
        case .local: nil
        case .remote:
            BackendFailure(
                name: "VirtualRadio.RemoteUserTerminated", message: "the peripheral ended the connection (0x13)",
                isTransient: true
            ).goodbye
        case .remoteLowResources:
            BackendFailure(
                name: "VirtualRadio.RemoteLowResources",
                message: "the peripheral ended the connection, as it has no room for another one (0x14)",
                isTransient: true)
        case .supervisionTimeout:
            BackendFailure(
                name: "VirtualRadio.ConnectionTimeout",
                message: "the peripheral was not heard for the supervision timeout (0x08)", isTransient: true)
        case .transactionTimeout:
            BackendFailure(
                name: "VirtualRadio.TransactionTimeout",
                message: "the peripheral did not answer a request within 30 seconds", isTransient: true)
        case .refused:
            BackendFailure(
                name: "VirtualRadio.ConnectionFailedToBeEstablished",
                message: "the peripheral did not take the connection (0x3E)", isTransient: true)
        case .radioOff, .radioGone:
            BackendFailure(
                name: "VirtualRadio.RadioOff", message: "the radio was switched off", isTransient: true)
        }
    }
}

extension LinkEndReason {
    /// The reason as a backend of the peripheral role reports it; nil where the peripheral itself ended the link.
    var failureOfCentral: BackendFailure? {
        switch self {
        case .remote, .remoteLowResources: nil
        case .local, .transactionTimeout, .refused, .radioOff:
            BackendFailure(
                name: "VirtualRadio.RemoteUserTerminated", message: "the central ended the connection (0x13)",
                isTransient: true
            ).goodbye
        case .supervisionTimeout, .radioGone:
            BackendFailure(
                name: "VirtualRadio.ConnectionTimeout",
                message: "the central was not heard for the supervision timeout (0x08)", isTransient: true)
        }
    }

    /// The reason on the central's side, and on the peripheral's.
    var reasons: (central: UInt8, peripheral: UInt8) {
        switch self {
        case .local, .transactionTimeout, .radioOff: (0x16, 0x13)
        case .remote: (0x13, 0x16)
        case .remoteLowResources: (0x14, 0x16)
        case .supervisionTimeout, .radioGone: (0x08, 0x08)
        case .refused: (0x3E, 0x3E)
        }
    }
}
