// SPDX-License-Identifier: MIT

#if Metrics
import CoreMetrics

/// The part of a ``RadioMeter`` that counts channels.
struct ChannelMeter: Sendable {
    private let opened: Counter
    private let ended: [End: Counter]
    private let units: [Direction: Counter]
    private let bytes: [Direction: Counter]

    init(_ factory: any MetricsFactory) {
        func counters<Kind: CaseIterable & Hashable & RawRepresentable<String>>(
            _ label: String, _ dimension: String, _ type: Kind.Type
        ) -> [Kind: Counter] {
            let all = Kind.allCases.map {
                ($0, Counter(label: label, dimensions: [(dimension, $0.rawValue)], factory: factory))
            }
            return Dictionary(uniqueKeysWithValues: all)
        }
        opened = Counter(label: "bluecap_channels_total", factory: factory)
        ended = counters("bluecap_channel_ends_total", "how", End.self)
        units = counters("bluecap_channel_units_total", "direction", Direction.self)
        bytes = counters("bluecap_channel_bytes_total", "direction", Direction.self)
    }

    func channelOpened() { opened.increment() }

    func channelEnded(_ end: End) { ended[end]?.increment() }

    /// Counts a unit that went out or came in whole.
    func unit(_ direction: Direction, byteCount: Int) {
        units[direction]?.increment()
        bytes[direction]?.increment(by: byteCount)
    }
}
#else
/// A meter without the trait `Metrics`: it counts nothing, and its calls compile to no code.
struct ChannelMeter {
    @inline(__always) func channelOpened() {}
    @inline(__always) func channelEnded(_ end: End) {}
    @inline(__always) func unit(_ direction: Direction, byteCount: Int) {}
}
#endif

extension ChannelMeter {
    /// The dimension `direction`.
    enum Direction: String, CaseIterable {
        case sent
        case received
    }

    /// The dimension `how` of the ends of channels.
    enum End: String, CaseIterable {
        /// A side closed it.
        case closed
        /// Its link, its radio or its manager ended.
        case lost
        /// The peer broke a rule, or the platform failed.
        case failed

        /// The end of a channel with an error; nil where a side closed it.
        init(_ error: ChannelError?) {
            switch error {
            case nil, .closed: self = .closed
            case .disconnected, .poweredOff, .invalidated: self = .lost
            default: self = .failed
            }
        }
    }
}

extension ChannelOperation {
    /// The dimension `operation`.
    var meterLabel: String {
        switch self {
        case .open: "open_channel"
        case .publish: "publish_channel"
        case .send: "send_unit"
        }
    }
}

extension MeteredOutcome {
    /// The outcome of a request about channels.
    init(_ result: Result<some Sendable, ChannelError>) {
        switch result {
        case .success: self = .success
        case .failure(.closed): self = .ended
        case .failure(let error): self = .failed(error.reason)
        }
    }
}
