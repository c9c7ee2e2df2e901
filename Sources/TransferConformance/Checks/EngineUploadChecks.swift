internal import TransferCore

extension Requirement {
    static let engineUpload: [Requirement] = [
        Requirement("engine: an upload by one request") { bench in
            let content = GeneratedSource(seed: 1, length: 3_003)
            let target = bench.location("put")
            let observed = ObservedBackend(bench.backend)
            let receipt = try await TransferEngine().upload(
                UploadSource(content, name: "put"), to: target, using: observed, objectOptions: .described,
                options: TransferOptions(singleRequestLimit: 1 << 20)
            ).value
            try expectEqual(observed.succeeded, [.put: 1], "what was done")
            try bench.expectVerified(receipt)
            try await bench.expectObject(at: target, is: content)
            try expectDescribed(try await bench.head(target))
        },
        Requirement("engine: an upload of nothing, in parts") { bench in
            let content = GeneratedSource(seed: 1, length: 0)
            let target = bench.location("empty")
            let receipt = try await TransferEngine().upload(
                UploadSource(content, name: "empty"), to: target, using: bench.backend
            ).value
            try bench.expectVerified(receipt)
            try await bench.expectObject(at: target, is: content)
        },
        Requirement("engine: an upload is paused and resumed, and no part is sent twice") { bench in
            let content = bench.content(wholeParts: 3)
            let target = bench.location("resumed")
            let receipt = try await bench.pauseAndResume(at: .part(2)) { backend, options in
                try TransferEngine().upload(
                    UploadSource(content, name: "resumed"), to: target, using: backend, objectOptions: .described,
                    options: options)
            }
            try bench.expectVerified(receipt)
            try await bench.expectObject(at: target, is: content)
            try expectDescribed(try await bench.head(target))
        },
        Requirement("engine: an upload that is aborted leaves nothing") { bench in
            let content = bench.content(wholeParts: 2)
            let target = bench.location("aborted")
            try await bench.abort(at: .part(2), to: target) { backend, options in
                try TransferEngine().upload(
                    UploadSource(content, name: "aborted"), to: target, using: backend, options: options)
            }
        },
        Requirement("engine: an upload whose last answer is lost is found to stand", needs: .tellsCRC64) { bench in
            let content = bench.content(wholeParts: 1)
            let target = bench.location("lost")
            let receipt = try await bench.loseComplete { backend, options in
                try TransferEngine().upload(
                    UploadSource(content, name: "lost"), to: target, using: backend, options: options)
            }
            try bench.expectVerified(receipt)
            try await bench.expectObject(at: target, is: content)
        },
    ]
}
