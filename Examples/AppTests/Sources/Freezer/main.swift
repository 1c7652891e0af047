// SPDX-License-Identifier: MIT

import BlueCap
import FreezerWatch

// Prints the alarms of the freezer in reach, over the platform's radio.
try await FreezerWatch(central: CentralManager()) { print("alarm: \($0)") }.run()
