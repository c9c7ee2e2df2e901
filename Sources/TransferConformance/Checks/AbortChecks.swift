internal import TransferCore

extension Requirement {
    static let abort: [Requirement] = [
        Requirement("abort: upload and parts are gone") { bench in
            let object = bench.location("aborted")
            let upload = try await bench.create(at: object)
            _ = try await bench.send(1, of: upload, bench.content(wholeParts: 0))
            try await bench.backend.abortMultipartUpload(upload)
            try await bench.expectGone(upload, "of an upload that was aborted")
            try await bench.expectMissing(object, "whose upload was aborted")
        },
        Requirement("abort: of an upload that is gone already, succeeds") { bench in
            let upload = try await bench.create(at: bench.location("aborted"))
            try await bench.backend.abortMultipartUpload(upload)
            try await bench.backend.abortMultipartUpload(upload)
        },
        Requirement("abort: no part and no Complete afterwards") { bench in
            let object = bench.location("aborted")
            let content = bench.content(wholeParts: 0)
            let upload = try await bench.create(at: object)
            let part = try await bench.send(1, of: upload, content)
            try await bench.backend.abortMultipartUpload(upload)
            try await expectError(.uploadNotFound, of: "a part after the abort") {
                try await bench.send(1, of: upload, content)
            }
            try await expectError(.uploadNotFound, of: "Complete after the abort") {
                try await bench.backend.completeMultipartUpload(upload, parts: [part])
            }
            try await bench.expectMissing(object, "whose upload was aborted")
        },
        Requirement("abort: an object that was completed stays") { bench in
            let content = bench.content(wholeParts: 0)
            let object = bench.location("completed")
            let upload = try await bench.create(at: object)
            let part = try await bench.send(1, of: upload, content)
            _ = try await bench.backend.completeMultipartUpload(upload, parts: [part])
            try await bench.backend.abortMultipartUpload(upload)
            try await bench.expectObject(at: object, is: content)
        },
    ]
}
