// SPDX-License-Identifier: MIT

import BlueCapCore

/// A backend of either role between a manager and another backend, that inspects what is done with channels.
protocol WatchedChannels: ChannelBackend {
    associatedtype Base: ChannelBackend
    nonisolated var base: Base { get }
    nonisolated var channelWatch: ChannelWatch { get }
}

extension WatchedChannels {
    func activateChannels(_ sink: ChannelEventSink) {
        let watch = channelWatch
        base.onExecutor {
            $0.activateChannels(
                ChannelEventSink { event in
                    watch.saw(event)
                    sink(event)
                })
        }
    }

    func performOnChannels(_ request: ChannelRequest) {
        channelWatch.told(request)
        base.onExecutor { $0.performOnChannels(request) }
    }

    func command(_ command: ChannelCommand) {
        channelWatch.told(command)
        base.onExecutor { $0.command(command) }
    }
}
