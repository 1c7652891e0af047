// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe

/// The writes to one device, and the values that it sent after each: those that always were the same become rules.
struct ObservedExchanges: Sendable {
    /// A write of some bytes to an attribute.
    struct Write: Sendable, Hashable {
        var handle: UInt16
        var value: Bytes
    }

    struct Reply: Sendable, Hashable {
        var handle: UInt16
        var value: Bytes
        /// The time from the write, when it was seen first.
        var after: Duration
    }

    struct Exchange: Sendable {
        var write: Write
        var replies: [Reply] = []
        /// Whether each write of these bytes had the same replies.
        var isClear = true
        /// Whether the replies came once while no other write was without any.
        var isAlone = false
    }

    /// An exchange that replies are still added to.
    struct Open: Sendable {
        // Numbers change when a device turns out to be another one, too.
        fileprivate var write: Write
        fileprivate var time: Timestamp?
        /// How many replies have come.
        fileprivate var position = 0
        fileprivate var isFirst: Bool
        /// Whether the write before it had no reply when this one came.
        fileprivate var hasRival: Bool
    }

    /// A value that comes later is no reply.
    private static let longestReply = Duration.seconds(5)
    /// Devices have a few dozen commands; of data that are sent in many parts the rest is not kept.
    private static let maximumCount = 4096

    /// By number.
    private(set) var all: [Exchange] = []
    private var numbers: [Write: Int] = [:]
    /// The attributes that sent a value without a write before it.
    private(set) var talkers: Set<UInt16> = []

    // MARK: Taking packets

    /// A client writes.
    ///
    /// - Parameter last: The client's exchange before it.
    /// - Returns: The exchange of the write; nil where there is no room for more.
    mutating func begin(_ write: Write, at time: Timestamp?, after last: Open?) -> Open? {
        if let last { close(last) }
        let hasRival = last.map { $0.position == 0 && Self.isInTime(time, $0) } ?? false
        if numbers[write] != nil { return Open(write: write, time: time, isFirst: false, hasRival: hasRival) }
        guard all.count < Self.maximumCount else { return nil }
        numbers[write] = all.count
        all.append(Exchange(write: write))
        return Open(write: write, time: time, isFirst: true, hasRival: hasRival)
    }

    /// The device sends a value by itself, or as a reply to a client's write.
    ///
    /// - Returns: The number of the exchange that it belongs to; nil where it belongs to none.
    mutating func sent(_ value: Bytes, by handle: UInt16, at time: Timestamp?, to open: inout Open?) -> Int? {
        guard let current = open, let number = numbers[current.write], Self.isInTime(time, current) else {
            talkers.insert(handle)
            return nil
        }
        open?.position += 1
        if current.position == 0, !current.hasRival { all[number].isAlone = true }
        if current.isFirst {
            guard all[number].replies.count < TwinLimits.replies else {
                all[number].isClear = false
                return number
            }
            var after = Duration.zero
            if let time, let begin = current.time { after = max(time - begin, .zero) }
            all[number].replies.append(Reply(handle: handle, value: value, after: after))
        } else {
            let replies = all[number].replies
            let expected = current.position < replies.count ? replies[current.position] : nil
            if expected?.handle != handle || expected?.value != value { all[number].isClear = false }
        }
        return number
    }

    /// A client does something else, after which nothing is a reply any more.
    mutating func close(_ open: Open) {
        guard !open.isFirst, let number = numbers[open.write] else { return }
        if open.position < all[number].replies.count { all[number].isClear = false }
    }

    private static func isInTime(_ time: Timestamp?, _ open: Open) -> Bool {
        guard let time, let begin = open.time else { return true }
        return time - begin <= longestReply
    }

    // MARK: Several links

    /// Takes over all that later ones show.
    ///
    /// - Returns: The new number of each of the later exchanges; nil where there is no room.
    mutating func merge(_ later: ObservedExchanges) -> [Int?] {
        talkers.formUnion(later.talkers)
        return later.all.map { exchange in
            guard let number = numbers[exchange.write] else {
                guard all.count < Self.maximumCount else { return nil }
                numbers[exchange.write] = all.count
                all.append(exchange)
                return all.count - 1
            }
            let isSame = all[number].replies.elementsEqual(exchange.replies) {
                $0.handle == $1.handle && $0.value == $1.value
            }
            all[number].isClear = all[number].isClear && exchange.isClear && isSame
            all[number].isAlone = all[number].isAlone || exchange.isAlone
            return number
        }
    }
}
