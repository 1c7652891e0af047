// SPDX-License-Identifier: MIT

extension Array {
    /// The elements of a sorted array whose handles are from one to another, both included.
    func within(_ first: UInt16, _ last: UInt16, by handle: (Element) -> UInt16) -> ArraySlice<Element> {
        let begin = firstIndex(reaching: { handle($0) >= first })
        return self[begin..<Swift.max(begin, firstIndex(reaching: { handle($0) > last }))]
    }

    /// The index of the first element for which a test holds, which holds for all behind it; the end where there is
    /// none.
    func firstIndex(reaching isReached: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isReached(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
