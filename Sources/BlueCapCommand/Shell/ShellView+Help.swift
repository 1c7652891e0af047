// SPDX-License-Identifier: MIT

extension ShellView {
    /// The keys, for the page that explains them.
    static let help = [
        "Keys on every page",
        "  up, down, k, j      choose, or scroll; also page up and down, home and end",
        "  enter, right        open what is chosen: a device, then a characteristic",
        "  q, esc, left        back; q on the list of devices ends the shell",
        "  /                   search devices, characteristics or the log; esc shows all",
        "  l                   the log: all that went over the link, and what failed",
        "  Ctrl-C              interrupts what runs; Ctrl-Z suspends; Ctrl-L redraws",
        "",
        "Devices",
        "  s                   scan, or stop scanning",
        "",
        "Characteristics",
        "  r                   read",
        "  w                   write: a choice of the profile (tab), parts as a=1,b=2,",
        "                      hex digits, or text in quotes",
        "  s                   subscribe, or unsubscribe; * marks what is subscribed",
        "  x, e                read the descriptors; write one, such as: 2901 \"text\"",
        "  i, p, d             measure the signal; pair, and keep the keys; disconnect",
        "",
        "'bluecap shell --plain' takes commands line by line.",
    ]

    /// The keys of the page that is shown, in one line.
    var keys: String {
        switch page {
        case .devices: "↑↓ choose · enter connect · s scan/stop · / search · l log · ? help · q quit"
        case .tree: "↵ open · r read · w write · s subscribe · p pair · / search · ? help · q back"
        case .value: "↑↓ history · r read · w write · s subscribe · p pair · l log · ? help · q back"
        case .log: "↑↓ scroll · / search · ? help · q back"
        case .help: "↑↓ scroll · q back"
        }
    }
}
