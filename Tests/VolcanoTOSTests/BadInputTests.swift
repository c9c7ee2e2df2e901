import Testing
import TransferCore
import TransferHTTP
import TransferPrimitives

@testable import VolcanoTOS

/// Contract 15: bad input is refused by its field's name, before the first request.
@Suite struct BadInputTests {
    private func refusal(
        of change: (inout TOSResumableCopyObjectInput) -> Void, configuration: TOSClientConfiguration = .test()
    ) async throws -> TransferError? {
        let transport = ScriptedTransport(try .tos(404))
        let client = try TOSClient.test(transport, configuration: configuration)
        var input = TOSResumableCopyObjectInput(srcBucket: "src-bucket", srcKey: "s", bucket: "dst-bucket", key: "k")
        change(&input)
        let error = await transferError { [input] in _ = try await client.resumableCopyObject(input) }
        #expect(transport.requests.isEmpty || error?.code == .notFound)
        return error
    }

    private func refusedField(of change: (inout TOSResumableCopyObjectInput) -> Void) async throws -> String? {
        let error = try await refusal(of: change)
        #expect(error?.code == .invalidArgument)
        return error?.field
    }

    @Test func `good input reaches the service`() async throws {
        #expect(try await refusal { _ in }?.code == .notFound)
        #expect(try await refusal { $0.partSize = 5 << 20 }?.code == .notFound)
        #expect(try await refusal { $0.partSize = 5 << 30 }?.code == .notFound)
        #expect(try await refusal { $0.taskNum = -7 }?.code == .notFound)
        #expect(try await refusal { $0.taskNum = 100_000 }?.code == .notFound)
        #expect(try await refusal { $0.srcRegion = "cn-beijing" }?.code == .notFound)
    }

    @Test(arguments: [1, 102_400, 5_000_000, (5 << 20) - 1, (5 << 30) + 1, -1, Int.min, Int.max])
    func `a part size out of range is refused with the range`(size: Int) async throws {
        let error = try await refusal { $0.partSize = size }
        #expect(error?.code == .invalidArgument)
        #expect(error?.field == "partSize")
        #expect(error?.message.contains("5242880…5368709120") == true)
    }

    @Test func `names that cannot be are refused`() async throws {
        #expect(try await refusedField { $0.srcBucket = "" } == "srcBucket")
        #expect(try await refusedField { $0.srcKey = "" } == "srcKey")
        #expect(try await refusedField { $0.srcVersionID = "" } == "srcVersionID")
        #expect(try await refusedField { $0.bucket = "No" } == "bucket")
        #expect(try await refusedField { $0.key = "" } == "key")
        #expect(try await refusedField { $0.key = String(repeating: "k", count: 1025) } == "key")
    }

    @Test func `names that reach the backend past the client's checks are refused as well`() async throws {
        let transport = ScriptedTransport(try .tos(200, #"{"ETag":"e"}"#))
        let backend = TOSBackend(try TOSClient.test(transport))
        let good = ObjectLocation(bucket: "dst-bucket", key: "k")
        for bad in [ObjectLocation(bucket: "a/b?c", key: "k"), ObjectLocation(bucket: "dst-bucket", key: "")] {
            #expect(await transferError { _ = try await backend.headObject(bad) }?.code == .invalidArgument)
            let error = await transferError {
                _ = try await backend.copyObject(bad, to: good, ifMatch: nil, options: ObjectOptions())
            }
            #expect(error?.field?.hasPrefix("src") == true)
        }
        #expect(transport.requests.isEmpty)
    }

    @Test func `numbers that cannot be are refused`() async throws {
        #expect(try await refusedField { $0.maxRetryCount = -1 } == "maxRetryCount")
        #expect(try await refusedField { $0.pauseGrace = .seconds(-1) } == "pauseGrace")
        #expect(try await refusedField { $0.trafficLimit = 1 } == "trafficLimit")
        #expect(try await refusedField { $0.copySourceSSECKey = EncryptionKey([1]) } == "copySourceSSECKey")
        #expect(try await refusedField { $0.ssecKey = EncryptionKey([1]) } == "ssecKey")
        #expect(try await refusedField { $0.copySourceIfMatch = "" } == "copySourceIfMatch")
        #expect(try await refusedField { $0.contentType = "a\nb" } == "contentType")
    }

    @Test func `a checkpoint path that cannot be is refused`() async throws {
        for path in ["", "a\0b"] {
            #expect(
                try await refusedField {
                    $0.enableCheckpoint = true
                    $0.checkpointFile = path
                } == "checkpointFile")
        }
        let error = try await refusal {
            $0.enableCheckpoint = true
            $0.checkpointFile = "/dev/null/x"
        }
        #expect(error?.code == .checkpointUnusable)
    }

    @Test func `an object is not copied onto itself for nothing`() async throws {
        func onto(_ change: (inout TOSResumableCopyObjectInput) -> Void) async throws -> TransferError? {
            try await refusal {
                $0.bucket = $0.srcBucket
                $0.key = $0.srcKey
                change(&$0)
            }
        }
        let error = try await onto { _ in }
        #expect(error?.code == .invalidArgument)
        #expect(error?.field == "key")
        #expect(try await onto { $0.storageClass = .ia }?.code == .notFound)
        #expect(try await onto { $0.carriesMetadata = false }?.code == .notFound)
        #expect(try await onto { $0.srcVersionID = "v1" }?.code == .notFound)
    }

    @Test func `a source that is known to be in another region is refused`() async throws {
        let error = try await refusal { $0.srcRegion = "cn-shanghai" }
        #expect(error?.code == .crossRegion)
        #expect(error?.field == "srcRegion")
    }

    @Test func `a custom domain stands for one bucket`() async throws {
        let error = try await refusal(
            of: { _ in }, configuration: .test(url: "https://cdn.example.com", isCustomDomain: true))
        #expect(error?.field == "srcBucket")
    }

    @Test func `a hook serves one call`() async throws {
        let hook = TOSCancelHook()
        #expect(try await refusal { $0.cancelHook = hook }?.code == .notFound)
        #expect(try await refusal { $0.cancelHook = hook }?.code == .cancelHookUsed)
    }

    @Test func `a hook that was cancelled before the start ends the call without a request`() async throws {
        for abort in [false, true] {
            let hook = TOSCancelHook()
            hook.cancel(abort: abort)
            #expect(try await refusal { $0.cancelHook = hook }?.code == (abort ? .aborted : .paused))
        }
    }

    @Test func `more than 10000 parts of a size that was asked for are refused before anything is created`()
        async throws
    {
        let transport = ScriptedTransport(
            try .tos(200, "", [("Content-Length", String(10_000 * (5 << 20) + 1)), ("ETag", "\"e\"")]))
        let client = try TOSClient.test(transport)
        var input = TOSResumableCopyObjectInput(srcBucket: "src-bucket", srcKey: "s", bucket: "dst-bucket", key: "k")
        input.partSize = 5 << 20
        let error = await transferError { [input] in _ = try await client.resumableCopyObject(input) }
        #expect(error?.code == .invalidArgument)
        #expect(error?.field == "partSize")
        #expect(transport.requests.map(\.method) == [.head])
    }

    private func configurationField(_ change: (inout TOSClientConfiguration) -> Void) -> String? {
        var configuration = TOSClientConfiguration.test()
        change(&configuration)
        do {
            _ = try TOSClient(
                configuration: configuration, transport: ScriptedTransport { _, _ in HTTPResponse(status: 500) })
            return nil
        } catch {
            return (error as? TransferError)?.field
        }
    }

    @Test func `a setting that cannot be is refused`() {
        #expect(configurationField { _ in } == nil)
        #expect(configurationField { $0.endpoint.url = "" } == "endpoint.url")
        #expect(configurationField { $0.maxRetryCount = -1 } == "maxRetryCount")
        #expect(configurationField { $0.copyIdleTimeout = .zero } == "copyIdleTimeout")
        #expect(configurationField { $0.controlTimeout = .seconds(-1) } == "controlTimeout")
        #expect(
            configurationField {
                $0 = TOSClientConfiguration(
                    endpoint: $0.endpoint, credential: TOSCredential(accessKey: "", secretKey: "s"))
            } == "credential.accessKey")
        #expect(
            configurationField {
                $0 = TOSClientConfiguration(
                    endpoint: $0.endpoint, credential: TOSCredential(accessKey: "a", secretKey: "s\n"))
            } == "credential.secretKey")
    }
}
