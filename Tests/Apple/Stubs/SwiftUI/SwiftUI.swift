// SPDX-License-Identifier: MIT
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

@MainActor @preconcurrency
public protocol View {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
    public var body: Never { return endless() }
}

private func endless() -> Never { while true {} }

/// What each view of this stub shows.
public protocol _Leaf: View where Body == Never {}

extension _Leaf {
    public var body: Never { return endless() }
}

public struct _Nothing: _Leaf {
    public nonisolated init() {}
}

@resultBuilder
public struct ViewBuilder {
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> some View { _Nothing() }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildEither<First: View>(first: First) -> _Either { _Either() }
    public static func buildEither<Second: View>(second: Second) -> _Either { _Either() }
}

public struct _Either: _Leaf {}

extension Optional: View where Wrapped: View {
    public var body: Never { return endless() }
}

extension View {
    public nonisolated func overlay<V: View>(@ViewBuilder content: () -> V) -> some View { _Nothing() }
    public nonisolated func navigationTitle<S: StringProtocol>(_ title: S) -> some View { _Nothing() }
    public nonisolated func task(@_inheritActorContext _ action: @escaping @Sendable () async -> Void) -> some View {
        _Nothing()
    }
}

public struct Text: _Leaf {
    public nonisolated init<S: StringProtocol>(_ content: S) {}
}

public struct Spacer: _Leaf {
    public nonisolated init() {}
}

public struct ProgressView: _Leaf {
    public nonisolated init() {}
}

public struct HStack<Content: View>: _Leaf {
    public nonisolated init(@ViewBuilder content: () -> Content) {}
}

public struct VStack<Content: View>: _Leaf {
    public nonisolated init(@ViewBuilder content: () -> Content) {}
}

public struct NavigationStack<Root: View>: _Leaf {
    public nonisolated init(@ViewBuilder root: () -> Root) {}
}

public struct NavigationLink<Label: View, Destination: View>: _Leaf {
    public nonisolated init(@ViewBuilder destination: () -> Destination, @ViewBuilder label: () -> Label) {}
}

public struct List<Content: View>: _Leaf {
    public nonisolated init<Data: RandomAccessCollection, ID: Hashable>(
        _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder rowContent: @escaping (Data.Element) -> Content
    ) {}
}

@propertyWrapper
public struct State<Value> {
    public let wrappedValue: Value

    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
    public init(initialValue value: Value) { wrappedValue = value }
}

@MainActor @preconcurrency
public protocol PreviewProvider {
    associatedtype Previews: View
    @ViewBuilder @MainActor @preconcurrency static var previews: Previews { get }
}

@MainActor @preconcurrency
public protocol App {
    associatedtype Body: Scene
    @MainActor @preconcurrency var body: Body { get }
    @MainActor @preconcurrency init()
}

@MainActor @preconcurrency
public protocol Scene {}

public struct WindowGroup<Content: View>: Scene {
    public nonisolated init(@ViewBuilder content: () -> Content) {}
}
