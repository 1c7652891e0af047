// SPDX-License-Identifier: MIT

import Testing

@testable import BlueCapCore

@Suite(.timeLimit(.minutes(60)))
struct StateFolderTests {
    private static let paths: [(StateFolder, String)] = [
        (.applicationSupport, "/home/Library/Application Support"), (.caches, "/home/Library/Caches"),
        (.stateHome, "/home/.local/state"),
    ]

    @Test(arguments: Self.paths)
    func `state is in the folder that the platform lets a program write to`(_ folder: StateFolder, _ path: String) {
        #expect(folder.path { $0 == "HOME" ? "/home" : nil } == path)
        #expect(folder.path { _ in nil } == nil)
    }

    @Test func `a variable names the folder on Linux alone`() {
        let folders: [StateFolder] = [.applicationSupport, .caches, .stateHome]
        #expect(folders.map { $0.path { $0 == "XDG_STATE_HOME" ? "/state" : nil } } == [nil, nil, "/state"])
    }
}
