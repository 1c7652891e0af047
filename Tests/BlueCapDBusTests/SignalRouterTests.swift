// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
@testable import BlueCapDBus
import Testing

@Suite
struct SignalRouterTests {
    /// The names of the handlers that a signal of the path reaches, in order.
    private static func route(_ path: String, _ scopes: [PathScope]) -> [String] {
        let router = SignalRouter()
        for scope in scopes { router.add(handler(scope, in: router)) }
        return router.handlers(for: path.utf8Span.span).map { "\($0.scope)" }
    }

    private static func found(_ path: String, in router: SignalRouter) -> [SignalHandlerID] {
        router.handlers(for: path.utf8Span.span).map(\.id)
    }

    private static func found(_ path: [UInt8], in table: PathTable) -> [SignalHandlerID] {
        table.handlers(at: path.span).map(\.id)
    }

    private static func handler(_ scope: PathScope, in router: SignalRouter) -> SignalHandler {
        SignalHandler(
            id: router.newID(), scope: scope, sender: nil, interface: nil, member: nil, body: .message { _ in })
    }

    @Test(arguments: [
        ("/a", "/a", true), ("/a", "/a/b", true), ("/a", "/a/b/c", true), ("/a", "/ab", false), ("/a", "/", false),
        ("/a/b", "/a", false), ("/a/b", "/a/c", false), ("/a/b", "/a/bc", false), ("/", "/", true),
        ("/", "/a", true), ("/", "/a/b", true),
    ])
    func `a namespace holds its own path and what is below it, and nothing else`(
        namespace: String, path: String, holds: Bool
    ) {
        #expect(Self.route(path, [.namespace(namespace)]).isEmpty == !holds)
    }

    @Test(arguments: [("/", true), ("/a", false), ("/a/b", false)])
    func `a path is one object alone`(path: String, holds: Bool) {
        #expect(Self.route(path, [.path("/")]).isEmpty == !holds)
    }

    @Test func `handlers come in the order they were added, whatever their scopes`() {
        let scopes: [PathScope] = [
            .namespace("/a"), .path("/a/b"), .all, .namespace("/"), .path("/a/b"), .namespace("/a/b"), .path("/a/c"),
        ]
        #expect(Self.route("/a/b", scopes) == scopes.dropLast().map { "\($0)" })
    }

    @Test func `what is removed is not found, and knows it; what shares its place is`() {
        let router = SignalRouter()
        let scopes: [PathScope] = [.path("/a"), .namespace("/a"), .all]
        for scope in scopes {
            let (first, second) = (Self.handler(scope, in: router), Self.handler(scope, in: router))
            router.add(first)
            router.add(second)
            router.remove(first.id)
            #expect(first.isRemoved && !second.isRemoved)
            #expect(Self.found("/a", in: router) == [second.id])
            router.remove(second.id)
            #expect(Self.found("/a", in: router).isEmpty)
        }
        let last = Self.handler(.namespace("/"), in: router)
        router.add(last)
        router.removeAll()
        #expect(last.isRemoved)
        #expect(Self.found("/a", in: router).isEmpty)
    }

    @Test func `a table looks at as many places as its paths have lengths, however many they are`() {
        var table = PathTable()
        let router = SignalRouter()
        let paths = (1000..<3000).map { Array("/org/bluez/hci0/dev_\($0)".utf8) }
        let handlers = paths.map { _ in Self.handler(.all, in: router) }
        for (path, handler) in zip(paths, handlers) { table.add(handler, at: path) }
        #expect(table.lengths == [24])
        for (path, handler) in zip(paths, handlers) { #expect(Self.found(path, in: table) == [handler.id]) }
        for (path, handler) in zip(paths, handlers) { table.remove(handler.id, at: path) }
        #expect(table.lengths.isEmpty)
        #expect(Self.found(paths[0], in: table).isEmpty)
    }
}
#endif
