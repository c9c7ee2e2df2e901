import ObjectStoreStub

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

// Starts the server that the arguments describe and runs until SIGINT or SIGTERM.

let options: CommandLineOptions
do {
    options = try CommandLineOptions(Array(CommandLine.arguments.dropFirst()))
} catch {
    printError("object-store-stub: \(error)")
    printError("Try object-store-stub --help.")
    exit(2)
}
if options.showsHelp {
    print(CommandLineOptions.help)
    exit(0)
}

// Blocked before the server's threads start, so that they inherit it and the signals wait for sigwait below.
var signals = sigset_t()
sigemptyset(&signals)
sigaddset(&signals, SIGINT)
sigaddset(&signals, SIGTERM)
pthread_sigmask(SIG_BLOCK, &signals, nil)

do {
    let server = try ObjectStoreStub.startNow(options.configuration)
    for bucket in options.versionedBuckets { server.storage.createBucket(bucket, keepsVersions: true) }
    for bucket in options.discardingBuckets { server.storage.createBucket(bucket, discardsUploads: true) }
    for object in options.objects {
        if !server.storage.bucketNames.contains(object.bucket) { server.storage.createBucket(object.bucket) }
        try server.storage.putObject(object.key, in: object.bucket, object.content)
    }
    print("endpoint=\(server.endpoint)")
    print("region=\(server.region)")
    print("oss-region=\(server.ossRegion)")
    print("access-key=\(server.accessKey)")
    print("secret-key=\(server.secretKey)")
    if let token = server.sessionToken { print("security-token=\(token)") }
    for bucket in server.storage.bucketNames { print("bucket=\(bucket)") }
    print("app-server=\(server.appServerURL)")
    print("ready")
    fflush(nil)
    var received: Int32 = 0
    while sigwait(&signals, &received) == EINTR {}
    server.stop()
    exit(0)
} catch {
    printError("object-store-stub: \(error)")
    exit(1)
}
