// SPDX-License-Identifier: MIT

#if Gateway && os(Linux)
import BlueCapGateway

extension ServedMetrics {
    /// Takes an address.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/tryAgain`` where another program has the port, and with
    ///   ``ToolStatus/usage`` where it is not to be had.
    static func serving(at address: MetricsAddress) throws(CommandFailure) -> ServedMetrics {
        do throws(MetricsServerError) {
            return try ServedMetrics(address)
        } catch {
            throw CommandFailure(error.isTransient ? .tryAgain : .usage, "\(error)")
        }
    }

    /// The same, for the text of the option.
    static func serving(at text: String) throws(CommandFailure) -> ServedMetrics {
        let address: MetricsAddress
        do { address = try MetricsAddress(text: text) } catch { throw CommandFailure(.usage, "--metrics \(error)") }
        return try serving(at: address)
    }
}
#endif
