internal import TransferCore
internal import TransferPrimitives

extension Requirement {
    static let engineDownload: [Requirement] = [
        Requirement("engine: a download of nothing", needs: .isReadable) { bench in
            let content = GeneratedSource(seed: 1, length: 0)
            let (source, scratch) = (bench.location("empty"), try ScratchDirectory())
            try await bench.put(content, at: source)
            let receipt = try await TransferEngine().download(
                source, to: scratch.path("empty"), using: try bench.reading()
            ).value
            try bench.expectVerified(receipt)
            try scratch.expectFile("empty", is: content)
        },
        Requirement("engine: a download is paused and resumed, and no part is read twice", needs: .isReadable) {
            bench in
            let content = bench.content(wholeParts: 3)
            let (source, scratch) = (bench.location("source"), try ScratchDirectory())
            try await bench.put(content, at: source)
            let receipt = try await bench.pauseAndResume(at: .read(bench.partSize)) { backend, options in
                try TransferEngine().download(source, to: scratch.path("file"), using: backend, options: options)
            }
            try bench.expectVerified(receipt)
            try scratch.expectFile("file", is: content)
            try expectEqual(try scratch.names, ["file"], "the list of files")
        },
        Requirement("engine: a download that is aborted leaves nothing", needs: .isReadable) { bench in
            let (source, scratch) = (bench.location("source"), try ScratchDirectory())
            try await bench.put(bench.content(wholeParts: 2), at: source)
            try await bench.abort(at: .read(bench.partSize)) { backend, options in
                try TransferEngine().download(source, to: scratch.path("file"), using: backend, options: options)
            }
            try expectEqual(try scratch.names, [], "the list of files")
        },
    ]
}
