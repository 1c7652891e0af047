// SPDX-License-Identifier: MIT

/// Asks on standard error, and takes the answers from standard input.
actor UserQuestions {
    private var lines: AsyncStream<String>.AsyncIterator?

    func ask(_ question: String) async -> String? {
        report(question)
        var iterator = lines ?? StandardInput.lines().makeAsyncIterator()
        let answer = await iterator.next(isolation: self)
        lines = iterator
        return answer
    }
}
