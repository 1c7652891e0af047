// SPDX-License-Identifier: MIT

/// A mistake in a device of a world's file, with the keys that lead to it.
struct WorldFault: Error {
    /// The way from the device to the value, as `services[0]`; empty for the whole device.
    var path: String
    /// The description of the mistake.
    var message: String

    /// Reports failures of `body` as mistakes of a value.
    static func at<Value>(
        _ path: String, _ body: () throws(CommandFailure) -> Value
    ) throws(WorldFault) -> Value {
        do throws(CommandFailure) {
            return try body()
        } catch {
            throw WorldFault(path: path, message: error.message)
        }
    }

    /// `"devices[2].services[0]: there is no …"`.
    func text(ofDevice index: Int) -> String { "devices[\(index)]\(path.isEmpty ? "" : "." + path): \(message)" }
}
