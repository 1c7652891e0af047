// SPDX-License-Identifier: MIT

import ArgumentParser

struct ChannelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "channel", abstract: "Send and receive bytes over a connection-oriented channel (L2CAP).",
        usage: "bluecap channel open | listen [<options>]",
        discussion: """
            \(support)

            EXAMPLES
              bluecap channel open "Heart Strap" --psm 128 --backend virtual
              bluecap channel listen --backend virtual
              bluecap channel open --help                    all options

            JSON
              One object for each event, on a line: "opened", "received", "sent",
              "closed"; of listen also "published", "advertising", "state", "stopped".
              The help of each has the keys. Keys are only ever added.

            \(ToolStatus.help)
            """,
        subcommands: [ChannelOpenCommand.self, ChannelListenCommand.self])

    /// For help texts.
    static let support = """
        BlueZ has channels where the program has the network of the machine, which a container may not have, and \
        --backend virtual has both ends in one process. The programs of a shared radio open them to each other.
        """
}
