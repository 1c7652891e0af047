// SPDX-License-Identifier: MIT

import BlueCapCore

// SAFETY: `value` is touched only in `with`, which traps off the executor, and the executor runs one thing at a time;
// the rest never changes.
/// A value that lives on the virtual radio's executor.
///
/// The radio's state is many small classes that know each other; none of them is `Sendable`, and all of them are
/// reached from outside through one of these.
final class Confined<Value>: @unchecked Sendable {
    private lazy var value: Value = make()
    private let make: @Sendable () -> Value
    let executor: VirtualExecutor

    /// A value that is made on the executor when it is first needed.
    init(on executor: VirtualExecutor, _ make: @escaping @Sendable () -> Value) {
        self.executor = executor
        self.make = make
    }

    /// Gives the value to `body`. Call it on the executor only.
    func with<Result>(_ body: (Value) -> Result) -> Result {
        executor.checkIsolated()
        return body(value)
    }

    /// Gives the value to `body`: at once when called on the executor, in its turn otherwise.
    func perform(_ body: @escaping @Sendable (Value) -> Void) {
        executor.perform { self.with(body) }
    }
}
