// SPDX-License-Identifier: MIT

/// The fuzz target whose decoders need no other module: see `--alone` of Tests/Fuzz/run.
enum FuzzTarget: String, CaseIterable {
    case proxy

    /// Makes the function that runs on each input.
    func makeBody() -> (inout FuzzInput) -> Void { ProxyFuzzer().run }
}
