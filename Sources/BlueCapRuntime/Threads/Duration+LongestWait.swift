// SPDX-License-Identifier: MIT

extension Duration {
    /// A hundred years, which every clock can add to its time: the continuous one traps beyond what 64 bits of seconds
    /// hold.
    package static let longestWait = Duration(secondsComponent: 3_155_760_000, attosecondsComponent: 0)
}
