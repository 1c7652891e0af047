// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapTerminal

extension ShellView {
    /// How many rows a page has on a screen of a size: all but the title, the message, and the keys.
    static func rows(of size: TerminalSize) -> Int { max(size.rows - 3, 1) }

    static func fits(_ size: TerminalSize) -> Bool { size.columns >= minimum.columns && size.rows >= minimum.rows }

    /// Draws it.
    func screen(_ state: ShellState, size: TerminalSize, now: Duration, busy: String?) -> Screen {
        var screen = Screen(size)
        guard Self.fits(size) else { return Self.tooSmall(size) }
        var area = ScreenArea(size)
        draw(title: state, in: area.takeTop(1), on: &screen)
        draw(keysIn: area.takeBottom(1), on: &screen)
        draw(message: state, busy: busy, in: area.takeBottom(1), on: &screen)
        switch page {
        case .devices: draw(devices: state, now: now, in: area, on: &screen)
        case .tree: draw(tree: state, in: area, on: &screen)
        case .value(let id): draw(value: id, state, in: area, on: &screen)
        case .log: draw(log: state, in: area, on: &screen)
        case .help:
            for (row, line) in Self.help.dropFirst(min(offset, max(Self.help.count - area.rows, 0))).enumerated() {
                screen.write(line, row: row, column: 1, in: area, line.hasPrefix(" ") ? .plain : .bold)
            }
        }
        return screen
    }

    private static func tooSmall(_ size: TerminalSize) -> Screen {
        var screen = Screen(size)
        let lines = [
            "\(size.columns) x \(size.rows) is too small:", "bluecap shell needs",
            "\(minimum.columns) x \(minimum.rows).",
            "Enlarge the terminal,", "or use --plain.", "q ends it.",
        ]
        for (row, line) in lines.enumerated() { screen.write(line, row: row, in: ScreenArea(size)) }
        return screen
    }

    // MARK: Around the page

    private func draw(title state: ShellState, in area: ScreenArea, on screen: inout Screen) {
        let right: String
        if page == .devices {
            right = TextLayout.count(state.devices.count, "device") + (state.isScanning ? ", scanning" : "")
        } else if let peer = state.peer {
            right =
                (peer.isConnected ? "connected" : "not connected") + (peer.isBonded ? ", paired" : "")
                + (peer.rssi.map { ", \($0) dBm" } ?? "")
        } else {
            right = ""
        }
        let path = pages.map { page in
            switch page {
            case .devices: "bluecap"
            case .tree: TextLayout.truncate(state.peer?.name ?? "", to: 28)
            case .value(let id): state.peer?.characteristic(id)?.name ?? ""
            case .log: "log"
            case .help: "help"
            }
        }
        let room = max(area.columns - TextLayout.width(of: right) - 3, 1)
        screen.write(TextLayout.truncate(path.joined(separator: " › "), to: room), row: 0, column: 1, in: area)
        screen.write(right, row: 0, column: area.columns - TextLayout.width(of: right) - 1, in: area)
        screen.paint(area, .reversed)
    }

    private func draw(keysIn area: ScreenArea, on screen: inout Screen) {
        let text = prompt?.hint ?? keys
        screen.write(TextLayout.truncate(text, to: area.columns - 1), row: 0, column: 1, in: area, .dim)
    }

    /// The prompt; without one the error message, the running request, or the last event.
    private func draw(message state: ShellState, busy: String?, in area: ScreenArea, on screen: inout Screen) {
        if let prompt {
            let label = TextLayout.truncate(prompt.label, to: area.columns - 24)
            let end = screen.write(label, row: 0, column: 1, in: area, ScreenStyle(.yellow, .bold))
            let shown = prompt.field.window(columns: area.columns - end - 1)
            screen.write(shown.text, row: 0, column: end, in: area)
            screen.placeCursor(row: 0, column: end + shown.cursor, in: area)
            return
        }
        let (text, style): (String, ScreenStyle) =
            if let message {
                (message.split(separator: "\n").joined(separator: " "), ScreenStyle(.red, .bold))
            } else if let busy {
                ("\(busy) … (Ctrl-C interrupts)", ScreenStyle(.yellow))
            } else if !search.isEmpty {
                ("search: \(search)", ScreenStyle(.yellow))
            } else {
                (state.log.last?.text ?? "", .plain)
            }
        screen.write(TextLayout.truncate(text, to: area.columns - 2), row: 0, column: 1, in: area, style)
    }

    // MARK: Devices

    private func draw(devices state: ShellState, now: Duration, in area: ScreenArea, on screen: inout Screen) {
        let devices = devices(in: state)
        let chosen = devices.firstIndex { $0.row.id == device } ?? 0
        let (first, shown) = Self.window(devices, around: chosen, rows: area.rows - 1)
        let rows = shown.enumerated().map { index, device in
            var row = device.row
            row.name = device.name
            // The table sorts; here the order is the list's.
            row.discovered = .seconds(index)
            return row
        }
        let table = ScanTable(columns: area.columns - 2, rows: area.rows, order: .discovery)
        for (row, line) in table.lines(rows, now: now).enumerated() {
            let isChosen = row > 0 && first + row - 1 == chosen && !devices.isEmpty
            screen.write(
                line, row: row, column: 2, in: area, row == 0 ? .bold : rows.isEmpty ? .dim : .plain)
            if isChosen { mark(row, in: area, on: &screen) }
        }
    }

    /// The part of a list that a page shows, with the chosen line in its middle where the list is longer.
    private static func window<Element>(
        _ list: [Element], around index: Int, rows: Int
    ) -> (first: Int, shown: ArraySlice<Element>) {
        let first = max(min(index - rows / 2, list.count - rows), 0)
        return (first, list[first..<min(first + rows, list.count)])
    }

    private func mark(_ row: Int, in area: ScreenArea, on screen: inout Screen) {
        screen.write(">", row: row, in: area)
        let line = ScreenArea(row: area.row + row, column: area.column, rows: 1, columns: area.columns)
        screen.paint(line, .reversed)
    }

    // MARK: Characteristics

    private enum TreeRow {
        case service(ShellPeer.Service)
        case characteristic(ShellCharacteristic)
    }

    private func draw(tree state: ShellState, in area: ScreenArea, on screen: inout Screen) {
        let text = searches[.tree] ?? ""
        let rows = (state.peer?.services ?? []).flatMap { service -> [TreeRow] in
            let found = service.characteristics.filter { $0.matches(text) }
            return found.isEmpty && !text.isEmpty ? [] : [.service(service)] + found.map { .characteristic($0) }
        }
        let chosen = rows.firstIndex { row in
            if case .characteristic(let each) = row { each.id == characteristic } else { false }
        }
        if rows.isEmpty {
            screen.write(text.isEmpty ? "It has no services" : "nothing has that", row: 0, column: 2, in: area, .dim)
        }
        let (first, shown) = Self.window(rows, around: chosen ?? 0, rows: area.rows)
        for (row, each) in shown.enumerated() {
            switch each {
            case .service(let service): screen.write(service.title, row: row, column: 1, in: area, .bold)
            case .characteristic(let each): draw(each, row, in: area, on: &screen)
            }
            if first + row == chosen { mark(row, in: area, on: &screen) }
        }
    }

    private func draw(_ each: ShellCharacteristic, _ row: Int, in area: ScreenArea, on screen: inout Screen) {
        let width = area.columns >= 100 ? 40 : 28
        if each.isSubscribed { screen.write("*", row: row, column: 2, in: area, ScreenStyle(.green, .bold)) }
        screen.write(TextLayout.truncate(each.name, to: width), row: row, column: 4, in: area)
        let words = TextLayout.truncate(each.properties.words, to: 17)
        screen.write(words, row: row, column: width + 6, in: area, .dim)
        guard let value = each.value else { return }
        let column = width + 25
        screen.write(TextLayout.truncate(value.text, to: area.columns - column), row: row, column: column, in: area)
    }

    // MARK: Values

    /// The descriptors of a characteristic that are shown above its value: half of the smallest page is for the value.
    private static func descriptors(of shown: ShellCharacteristic) -> ArraySlice<ShellDescriptor> {
        shown.descriptors.filter { $0.value != nil && $0.uuid != Descriptor.clientConfiguration }.prefix(6)
    }

    /// How many of a characteristic's values are shown on a page of so many rows, below all else.
    static func valueRows(of shown: ShellCharacteristic, rows: Int) -> Int {
        let rest = rows - 2 - descriptors(of: shown).count - 4
        return max(rest - (shown.plot.isEmpty ? 0 : rest / 2) - 1, 1)
    }

    private func draw(value id: AttributeID, _ state: ShellState, in area: ScreenArea, on screen: inout Screen) {
        guard let shown = state.peer?.characteristic(id) else { return }
        var area = area
        let head = area.takeTop(2)
        let service = KnownProfiles.service(shown.service)
        screen.write("\(service) › \(shown.name)", row: 0, column: 1, in: head, .bold)
        let facts = [
            "\(shown.uuid)", "handle \(shown.id)", shown.properties.words,
            shown.isSubscribed
                ? "subscribed" : shown.properties.isDisjoint(with: [.notify, .indicate]) ? "" : "not subscribed",
        ]
        screen.write(facts.filter { !$0.isEmpty }.joined(separator: "  "), row: 1, column: 1, in: head, .dim)
        let descriptors = Self.descriptors(of: shown)
        let known = area.takeTop(descriptors.count)
        for (row, descriptor) in descriptors.enumerated() {
            let text = "\(descriptor.name): \(descriptor.text ?? descriptor.valueLine)"
            screen.write(TextLayout.truncate(text, to: known.columns - 2), row: row, column: 1, in: known, .dim)
        }
        guard let value = shown.value else {
            screen.write("no value so far", row: 1, column: 1, in: area, .dim)
            return
        }
        draw(value, in: area.takeTop(4), on: &screen)
        if !shown.plot.isEmpty { draw(shown.plot, in: area.takeTop(area.rows / 2), on: &screen) }
        screen.write("     TIME  HOW       VALUE", row: 0, column: 1, in: area, .bold)
        let lines = shown.valueLines.reversed().dropFirst(min(offset, max(shown.values.count - area.rows + 1, 0)))
        for (row, line) in lines.prefix(area.rows - 1).enumerated() {
            screen.write(TextLayout.truncate(line, to: area.columns - 2), row: row + 1, column: 1, in: area)
        }
    }

    /// The value in words, below it the bytes.
    private func draw(_ value: ShellValue, in area: ScreenArea, on screen: inout Screen) {
        let hex = value.event.value.isEmpty ? "(empty)" : value.event.value
        let lines = [(value.event.text ?? hex, ScreenStyle.bold)] + (value.event.text == nil ? [] : [(hex, .dim)])
        for (row, line) in lines.enumerated() {
            screen.write(TextLayout.truncate(line.0, to: area.columns - 2), row: row + 1, column: 1, in: area, line.1)
        }
    }

    private func draw(_ plot: NumberPlot, in area: ScreenArea, on screen: inout Screen) {
        for (row, line) in plot.rows(columns: area.columns - 2, rows: area.rows - 1).enumerated() {
            screen.write(line.text, row: row, column: 1, in: area, ScreenStyle(line.color))
        }
    }

    // MARK: Log

    private func draw(log state: ShellState, in area: ScreenArea, on screen: inout Screen) {
        let lines = state.log(matching: search)
        let end = lines.count - min(offset, max(lines.count - area.rows, 0))
        for (row, line) in lines[max(end - area.rows, 0)..<end].enumerated() {
            screen.write(TextLayout.truncate(line, to: area.columns - 1), row: row, column: 0, in: area)
        }
        if lines.isEmpty { screen.write("nothing so far", row: 0, column: 2, in: area, .dim) }
    }
}

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
