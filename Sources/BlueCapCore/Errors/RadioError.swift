// SPDX-License-Identifier: MIT

/// The cases that the errors of both managers have in common.
protocol RadioError: RequestError {
    static var powerOnTimeout: Self { get }
    static var unsupported: Self { get }
    static var unauthorized: Self { get }
}
