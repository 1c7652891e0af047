// SPDX-License-Identifier: MIT

#if ESPHome
import BlueCapCore

/// The clients of a proxy: their sessions, the ways to them, and their subscriptions.
struct ProxyMembers {
    struct Member {
        var client: ProxyClient
        let channel: any ProxyChannel
        var name: String?
        var isListening = false
        var watchesSlots = false
    }

    /// How many connections there may be.
    static let maximumCount = 32
    /// The bytes that wait for a client beyond which it gets no advertisements and values, and beyond which it ends.
    static let (slowByteCount, maximumByteCount) = (65_536, 1 << 20)

    private var members: [Int: Member] = [:]
    private var last = 0

    subscript(number: Int) -> Member? { members[number] }

    /// Changes a client in its place, if it is still there.
    @discardableResult
    mutating func change<Result>(_ number: Int, _ body: (inout Member) -> Result) -> Result? {
        members.index(forKey: number).map { body(&members.values[$0]) }
    }

    var count: Int { members.count }
    var isFull: Bool { count >= Self.maximumCount }
    var numbers: [Int] { members.keys.sorted() }
    var greetedCount: Int { members.values.count { $0.client.isGreeted } }
    var someListen: Bool { members.values.contains(where: \.isListening) }
    /// The first client that has not said hello.
    var firstStranger: Int? { members.filter { !$0.value.client.isGreeted }.keys.min() }
    /// When the first of the clients has something to do.
    var deadline: Duration? { members.values.map(\.client.deadline).min() }

    /// - Returns: The number of the new client, which no other one has had.
    mutating func add(_ client: ProxyClient, _ channel: any ProxyChannel) -> Int {
        last += 1
        members[last] = Member(client: client, channel: channel)
        return last
    }

    mutating func remove(_ number: Int) -> Member? { members.removeValue(forKey: number) }

    /// The numbers of the clients that fulfil a condition.
    func numbers(where isSo: (Member) -> Bool) -> [Int] { members.filter { isSo($0.value) }.keys.sorted() }

    /// Whether a client reads too little to get messages that it may miss.
    func isSlow(_ number: Int) -> Bool { members[number]?.channel.waitingCount ?? 0 > Self.slowByteCount }

    /// Sends bytes that a client waits for.
    ///
    /// - Returns: False where it has not read for so long that it is to be given up.
    func send(_ bytes: [UInt8], to number: Int) -> Bool {
        guard let channel = members[number]?.channel else { return true }
        channel.send(bytes)
        return channel.waitingCount <= Self.maximumByteCount
    }

    /// Sends messages that a client waits for, in one piece.
    ///
    /// - Returns: False where it has not read for so long that it is to be given up.
    mutating func send(_ messages: [any APIMessage], to number: Int) -> Bool {
        var bytes: [UInt8] = []
        for message in messages { bytes += members[number]?.client.frame(message) ?? [] }
        return send(bytes, to: number)
    }

    /// Sends a message to all that listen, and read.
    ///
    /// - Returns: To how many it was sent, and to how many not.
    mutating func pass(_ message: RawMessage) -> (sent: Int, dropped: Int) {
        var (sent, dropped) = (0, 0)
        for number in numbers(where: \.isListening) {
            if isSlow(number) {
                dropped += 1
            } else if let bytes = members[number]?.client.frame(message) {
                members[number]?.channel.send(bytes)
                sent += 1
            }
        }
        return (sent, dropped)
    }
}
#endif
