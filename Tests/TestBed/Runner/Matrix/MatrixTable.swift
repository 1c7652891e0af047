// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapRuntime
import Foundation

/// The results of the cells of the matrix, and the article made from them.
final class MatrixTable: Sendable {
    private let rows = Locked([MatrixCell: MatrixRow]())

    func set(_ row: MatrixRow, for cell: MatrixCell) { rows.withLock { $0[cell] = row } }

    /// Writes the article with these results into the run's folder of logs.
    func write() throws {
        let folder = ProcessInfo.processInfo.environment["BED_OUT"] ?? "."
        try article.write(toFile: "\(folder)/FaultMatrix.md", atomically: true, encoding: .utf8)
    }

    private var article: String {
        let rows = rows.withLock { $0 }
        var text = """
            # Recovery after faults

            Every fault, in the middle of everything that a program does, on a real bluetoothd.

            ## Overview

            This article is written by `Tests/TestBed/matrix`, which runs a small program and lets a fault befall it, once for each \
            row, in the test bed: bluetoothd \(BedWorld.bluetoothd), a far device that is another Bluetooth stack, and simulated \
            controllers without the losses of a radio. A run in which a call does not end, an error has no type, or a program does \
            not work again has failed; and so has one in which values do not flow again within \
            \(MatrixCell.bound.components.seconds) s of the radio's return. All other times were measured, on a busy machine with \
            two cores.

            - *Ends* is the error of the operation under way, and its time after the beginning of the fault; "–" where it goes on.
            - *State* is the manager's worst state, and when it was `.poweredOn` again.
            - *Link* is that of the far peripheral, which a `ReconnectPolicy` without a bound and with 250 ms between attempts makes \
            again.
            - *Works* is the time after which the program works as before.

            Times of coming back count from the end of the fault, when the adapter is powered and the other device there again. \
            Radio, bus and daemon are away for one to three seconds; bluetoothd stands still (`SIGSTOP`) for three. Ending the \
            bus ends bluetoothd, too. The other device is silent until the request that it owes an answer has failed, or for three \
            seconds. An adapter that is unplugged while a far central waits for the app is left out: bluetoothd can crash then \
            (<doc:BlueZ>). A program that is killed itself is restored, which the article Restoration describes and the test bed \
            shows beside this table. The guest of the test bed has no rfkill, whose block is an adapter that is switched off and cannot be switched \
            on.


            """
        for role in MatrixActivity.Role.allCases {
            text += "## The \(role) role\n"
            for activity in MatrixActivity.allCases where activity.role == role {
                let shown = MatrixFault.allCases.compactMap { fault in
                    rows[MatrixCell(activity: activity, fault: fault)].map { (fault, $0) }
                }
                if shown.isEmpty { continue }
                text += "\n### \(activity.heading)\n\n\(activity.summary)\n\n"
                text += "| fault | ends | state | link | works |\n|---|---|---|---|---|\n"
                for (fault, row) in shown {
                    text += "| \(([fault.name] + row.columns).joined(separator: " | ")) |\n"
                }
            }
            text += role == .central ? "\n" : ""
        }
        return text
    }
}
#endif
