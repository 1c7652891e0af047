// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapTerminal

/// The screen's view of a shell's state, and its reaction to keys: pages, the chosen line of each, and a prompt.
///
/// It is a value without a terminal: keys go in, requests come out, and ``screen(_:size:now:busy:)`` draws it.
struct ShellView: Sendable {
    enum Page: Sendable, Hashable {
        case devices
        case tree
        case value(AttributeID)
        case log
        case help
    }

    /// A key's request that the view cannot satisfy itself.
    enum Action: Sendable {
        case request(ShellRequest)
        case toggleScan
        case answer(String)
        case refuse
        case interrupt
        case suspend
        case redraw
        case quit
    }

    /// The least that it is made for.
    static let minimum = TerminalSize(columns: 80, rows: 24)

    private(set) var pages: [Page] = [.devices]
    private(set) var prompt: ShellPrompt?
    /// The error message, until the next key.
    var message: String?
    /// The search texts for devices, characteristics or the log.
    private(set) var searches: [Page: String] = [:]
    private(set) var device: String?
    private(set) var characteristic: AttributeID?
    /// How many lines a page is scrolled: the log and values back in time, the help down.
    private(set) var offset = 0
    private var connected: String?

    var page: Page { pages.last ?? .devices }

    var search: String { searches[page] ?? "" }

    func devices(in state: ShellState) -> [ShellDevice] { state.devices(matching: searches[.devices] ?? "") }

    func characteristics(in state: ShellState) -> [ShellCharacteristic] {
        (state.peer?.characteristics ?? []).filter { $0.matches(searches[.tree] ?? "") }
    }

    /// Follows a change of state: shows a newly connected device, opens a question, and chooses a line.
    mutating func follow(_ state: ShellState) {
        if state.isConnected, connected != state.peer?.id {
            pages = [.devices, .tree]
            (characteristic, offset, searches[.tree]) = (nil, 0, nil)
        }
        connected = state.isConnected ? state.peer?.id : nil
        if let question = state.question {
            if prompt?.purpose != .answer || prompt?.label != question + " " { prompt = .answer(question) }
        } else if prompt?.purpose == .answer {
            prompt = nil
        }
        let devices = devices(in: state)
        if !devices.contains(where: { $0.row.id == device }) { device = devices.first?.row.id }
        let characteristics = characteristics(in: state)
        if !characteristics.contains(where: { $0.id == characteristic }), page == .tree {
            characteristic = characteristics.first?.id
        }
    }

    // MARK: Keys

    /// Takes a key.
    ///
    /// - Returns: The action to perform; nil where the screen only has to be drawn.
    mutating func handle(_ press: KeyPress, _ state: ShellState, rows: Int) -> Action? {
        message = nil
        switch (press.key, press.modifiers) {
        case (.character("z"), .control): return .suspend
        case (.character("l"), .control): return .redraw
        case (.character("c"), .control) where prompt == nil || prompt?.purpose == .answer: return .interrupt
        default: break
        }
        if prompt != nil { return handlePrompt(press, state) }
        if let step = Self.step(press, rows: rows) {
            move(step, state, rows: rows)
            return nil
        }
        switch (press.key, press.text) {
        case (.escape, _) where !search.isEmpty: searches[page] = nil
        case (_, "q"), (.escape, _), (.left, _), (.backspace, _): return back(isKeyQ: press.text == "q")
        case (_, "?"): open(.help)
        case (_, "l"): open(.log)
        case (_, "/"): if isSearchable { prompt = .search(search) }
        case (_, "p") where state.isConnected: return .request(.pair)
        case (_, "i") where state.isConnected: return .request(.signal)
        case (_, "d") where state.isConnected:
            pages = [.devices]
            return .request(.disconnect)
        default: return act(press, state)
        }
        return nil
    }

    private var isSearchable: Bool { [.devices, .tree, .log].contains(page) }

    /// How far a key moves the choice; `Int.max` and `Int.min` to the ends.
    private static func step(_ press: KeyPress, rows: Int) -> Int? {
        switch (press.key, press.text) {
        case (.up, _), (_, "k"): -1
        case (.down, _), (_, "j"): 1
        case (.pageUp, _): -max(rows - 1, 1)
        case (.pageDown, _), (_, " "): max(rows - 1, 1)
        case (.home, _), (_, "g"): .min
        case (.end, _), (_, "G"): .max
        default: nil
        }
    }

    private mutating func move(_ step: Int, _ state: ShellState, rows: Int) {
        switch page {
        case .devices:
            let ids = devices(in: state).map(\.row.id)
            if let index = Self.moved(step, ids, from: device) { device = ids[index] }
        case .tree:
            let ids = characteristics(in: state).map(\.id)
            if let index = Self.moved(step, ids, from: characteristic) { characteristic = ids[index] }
        case .value(let id):
            guard let shown = state.peer?.characteristic(id) else { return }
            scroll(step, in: shown.values.count, rows: Self.valueRows(of: shown, rows: rows))
        case .help: scroll(step, in: Self.help.count, rows: rows)
        // The newest line of the log is at the bottom.
        case .log:
            let count = state.log(matching: search).count
            scroll(step == .min ? .max : step == .max ? .min : -step, in: count, rows: rows)
        }
    }

    /// Scrolls so many lines, of which so many rows are shown, until the last one is.
    private mutating func scroll(_ step: Int, in count: Int, rows: Int) {
        offset = Self.sum(offset, step, below: count - rows + 1)
    }

    private static func moved<ID: Equatable>(_ step: Int, _ ids: [ID], from id: ID?) -> Int? {
        if ids.isEmpty { return nil }
        return sum(ids.firstIndex { $0 == id } ?? 0, step, below: ids.count)
    }

    /// The sum, but not below 0 and not above the last of so many.
    private static func sum(_ index: Int, _ step: Int, below count: Int) -> Int {
        let (sum, isOver) = index.addingReportingOverflow(step)
        return min(max(isOver ? step : sum, 0), max(count - 1, 0))
    }

    private mutating func open(_ page: Page) {
        offset = 0
        if let index = pages.firstIndex(of: page) {
            pages.removeSubrange((index + 1)...)
        } else {
            pages.append(page)
        }
    }

    private mutating func back(isKeyQ: Bool) -> Action? {
        if pages.count > 1 {
            pages.removeLast()
            offset = 0
        } else if !search.isEmpty, !isKeyQ {
            searches[page] = nil
        } else if isKeyQ {
            return .quit
        }
        return nil
    }

    private mutating func act(_ press: KeyPress, _ state: ShellState) -> Action? {
        let isEntered = press.key == .enter || press.key == .right
        switch page {
        case .devices:
            if press.text == "s" { return .toggleScan }
            guard isEntered, let device else { return nil }
            if state.isConnected, device == state.peer?.id {
                open(.tree)
                return nil
            }
            return .request(.connect(device))
        case .tree, .value:
            guard let id = characteristic, let chosen = state.peer?.characteristic(id) else { return nil }
            let selector = CharacteristicSelector(id.description)
            switch press.text {
            case "r": return .request(.read([selector]))
            case "s": return .request(chosen.isSubscribed ? .unsubscribe([selector]) : .subscribe([selector]))
            case "w":
                if chosen.canWrite { prompt = .write(chosen) } else { message = "\(chosen.name) cannot be written" }
            case "x": return .request(.descriptors(selector, reads: true))
            case "e": prompt = .writeDescriptor(chosen)
            default: if isEntered, page == .tree { open(.value(id)) }
            }
            return nil
        case .log, .help: return nil
        }
    }

    private mutating func handlePrompt(_ press: KeyPress, _ state: ShellState) -> Action? {
        guard var open = prompt else { return nil }
        switch (press.key, press.modifiers) {
        case (.enter, _):
            prompt = nil
            switch open.purpose {
            case .search: return nil
            case .answer: return .answer(open.field.text)
            case .write(let id):
                let selector = CharacteristicSelector(id.description)
                return .request(.write(selector, open.value, ShellWriting(isLong: true)))
            case .writeDescriptor(let id):
                guard let (descriptor, value) = open.descriptorAndValue else {
                    message = "write a descriptor and a value, such as: 2901 \"Lamp\""
                    return nil
                }
                return .request(.writeDescriptor(CharacteristicSelector(id.description), descriptor, value))
            }
        case (.escape, _), (.character("c"), .control):
            prompt = nil
            if open.purpose == .search { searches[page] = nil }
            return open.purpose == .answer ? .refuse : nil
        default:
            open.edit(press)
            prompt = open
            if open.purpose == .search { searches[page] = open.field.text }
            return nil
        }
    }
}
