internal import TransferCore

extension Requirement {
    static let capabilities: [Requirement] = [
        Requirement("capabilities: a provider with a name, the same for every value") { bench in
            try expect(
                !bench.backend.provider.isEmpty, "provider should not be empty: checkpoints are told apart by it")
            try expectEqual(bench.another().provider, bench.backend.provider, "the provider of another value")
        },
        Requirement("capabilities: limits that parts can keep, the same for every value") { bench in
            let limits = bench.limits
            try expect(limits.minimumSize >= 1, "parts.minimumSize should be at least 1")
            try expect(
                limits.minimumSize <= limits.defaultSize && limits.defaultSize <= limits.maximumSize,
                "parts.defaultSize should be between minimumSize and maximumSize")
            try expect(limits.maximumCount >= 1, "parts.maximumCount should be at least 1")
            try expect(bench.backend.capabilities.largestPut > 0, "largestPut should be more than 0")
            if bench.backend is any CopyBackend {
                try expect(bench.backend.capabilities.largestCopy > 0, "largestCopy should be more than 0")
            }
            try expectEqual(bench.another().capabilities, bench.backend.capabilities, "what another value can do")
        },
    ]
}
