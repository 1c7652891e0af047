// SPDX-License-Identifier: MIT

/// What managers still have to do, for those who look whether anything is left behind.
extension RadioManager {
    /// How many requests, deadlines and waits for the radio there are, those of which there is none left out.
    var commonRemains: [String: Int] {
        ["requests": requests.count, "deadlines": deadlines.count, "waits for the radio": radio.waiterCount]
            .filter { $0.value > 0 }
    }
}
