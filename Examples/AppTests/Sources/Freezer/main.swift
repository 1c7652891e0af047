// SPDX-License-Identifier: MIT

import BlueCap
import FreezerWatch

// Prints the alarms of the freezer in reach, over the platform's radio, until Ctrl-C.
let central = CentralManager()
try await Interruption.ends { try await FreezerWatch(central: central) { print("alarm: \($0)") }.run() }
await central.invalidate()
