internal import TransferCore

extension Requirement {
    static let engineCopy: [Requirement] = [
        Requirement("engine: a copy by one request", needs: .copies) { bench in
            let content = GeneratedSource(seed: 1, length: 3_003)
            let (source, target) = (bench.location("source"), bench.location("target"))
            try await bench.put(content, at: source, options: .described)
            let observed = ObservedBackend(bench.backend)
            let receipt = try await TransferEngine().copy(
                from: source, to: target, using: observed, options: TransferOptions(singleRequestLimit: 1 << 20)
            ).value
            try expectEqual(observed.succeeded, [.copy: 1], "what was done")
            try bench.expectVerified(receipt)
            try await bench.expectObject(at: target, is: content)
            try expectDescribed(try await bench.head(target))
        },
        Requirement("engine: a copy of nothing, in parts", needs: .copies) { bench in
            let content = GeneratedSource(seed: 1, length: 0)
            let (source, target) = (bench.location("source"), bench.location("target"))
            try await bench.put(content, at: source)
            let receipt = try await TransferEngine().copy(
                from: source, to: target, using: try bench.copying()
            ).value
            try bench.expectVerified(receipt)
            try await bench.expectObject(at: target, is: content)
        },
        Requirement("engine: a copy is paused and resumed, and no part is copied twice", needs: .copies) { bench in
            let content = bench.content(wholeParts: 3)
            let (source, target) = (bench.location("source"), bench.location("target"))
            try await bench.put(content, at: source, options: .described)
            let receipt = try await bench.pauseAndResume(at: .part(2)) { backend, options in
                try TransferEngine().copy(from: source, to: target, using: backend, options: options)
            }
            try bench.expectVerified(receipt)
            try await bench.expectObject(at: target, is: content)
            try expectDescribed(try await bench.head(target))
        },
        Requirement("engine: a copy that is aborted leaves nothing", needs: .copies) { bench in
            let (source, target) = (bench.location("source"), bench.location("target"))
            try await bench.put(bench.content(wholeParts: 2), at: source)
            try await bench.abort(at: .part(2), to: target) { backend, options in
                try TransferEngine().copy(from: source, to: target, using: backend, options: options)
            }
        },
    ]
}
