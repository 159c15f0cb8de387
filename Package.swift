// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "pushboard",
    products: [
        .library(name: "Pushboard", targets: ["Pushboard"]),
        .library(name: "PushboardServer", targets: ["PushboardServer"]),
        .executable(name: "pushboard", targets: ["PushboardCommand"]),
    ],
    targets: [
        .systemLibrary(
            name: "CLibwebsockets", pkgConfig: "libwebsockets", providers: [.apt(["libwebsockets-dev"])]),
        .systemLibrary(name: "CLibev", providers: [.apt(["libev-dev"])]),
        .systemLibrary(name: "CGetopt"),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

        .target(name: "Pushboard", swiftSettings: settings),
        .target(
            name: "WebSockets", dependencies: ["CLibwebsockets", "CLibev", "CZlib"], swiftSettings: settings),
        .target(name: "PushboardServer", dependencies: ["Pushboard", "WebSockets"], swiftSettings: settings),
        .target(name: "ExampleBoard", dependencies: ["Pushboard"], swiftSettings: settings),
        .executableTarget(
            name: "PushboardCommand", dependencies: ["CGetopt", "ExampleBoard", "Pushboard", "PushboardServer"],
            swiftSettings: settings),

        .target(
            name: "TestSupport", dependencies: ["Pushboard"], path: "Tests/Support/TestSupport",
            swiftSettings: settings),
        .executableTarget(
            name: "ReadmeBoard", dependencies: ["Pushboard", "PushboardServer"], path: "Tests/Support/ReadmeBoard",
            swiftSettings: settings),
        .executableTarget(
            name: "EchoServer", dependencies: ["WebSockets"], path: "Tests/Support/EchoServer",
            swiftSettings: settings),
        .testTarget(
            name: "PushboardTests", dependencies: ["Pushboard", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "WebSocketsTests", dependencies: ["EchoServer", "WebSockets"], swiftSettings: settings),
        .testTarget(
            name: "PushboardServerTests",
            dependencies: ["ExampleBoard", "Pushboard", "PushboardServer", "TestSupport", "WebSockets"],
            swiftSettings: settings),
    ]
)
