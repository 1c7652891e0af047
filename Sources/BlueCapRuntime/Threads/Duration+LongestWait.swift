// SPDX-License-Identifier: MIT

extension Duration {
    /// A hundred years, which every clock can add to its time: the continuous one traps beyond the range of 64 bits of
    /// seconds.
    package static let longestWait = Duration(secondsComponent: 3_155_760_000, attosecondsComponent: 0)
}
