// SPDX-License-Identifier: MIT

#if canImport(SwiftUI)
public import BlueCap
public import SwiftUI

/// The straps in reach. It scans while it is shown.
public struct StrapListView: View {
    @State private var list: StrapList

    /// - Parameter central: The manager of the app.
    public init(central: CentralManager) { _list = State(initialValue: StrapList(central: central)) }

    /// A row for each strap, with its name and its strength.
    public var body: some View {
        NavigationStack {
            List(list.straps, id: \.peripheral.identifier) { sighting in
                NavigationLink {
                    StrapPageView(sighting.peripheral)
                } label: {
                    HStack {
                        Text(sighting.peripheral.displayName)
                        Spacer()
                        if let rssi = sighting.rssi { Text("\(rssi) dBm") }
                    }
                }
            }
            .overlay {
                if let problem = list.problem {
                    Text(problem)
                } else if list.straps.isEmpty {
                    ProgressView()
                }
            }
            .navigationTitle("Straps")
        }
        .task { await list.scan() }
    }
}

/// The list on a virtual radio.
struct StrapListPreviews: PreviewProvider {
    static var previews: some View {
        let straps = VirtualStraps()
        StrapListView(central: straps.makeCentral()).task { try? await straps.beat() }
    }
}
#endif
