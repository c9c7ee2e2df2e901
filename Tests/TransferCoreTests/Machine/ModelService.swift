@testable import TransferCore

/// A service and a store of records as plain values, for simulated histories.
struct ModelService {
    /// Parts by upload.
    var uploads: [String: Set<Int>] = [:]
    /// Whether the object stands.
    var hasObject = false
    /// Uploads whose Complete is under way although its answer was lost: they become the object at any moment.
    var committing: Set<String> = []
    /// Uploads that a creation made whose answer was lost. Nobody can know of them.
    var unknowable: Set<String> = []
    /// Uploads that a call has reported as left behind.
    var reported: Set<String> = []
    var record: TransferCheckpoint?
    private var created = 0

    mutating func create() -> String {
        created += 1
        let id = "new-\(created)"
        uploads[id] = []
        return id
    }

    /// Nil when the upload is gone.
    mutating func store(_ number: Int, in id: String) -> CompletedPart? {
        guard uploads[id] != nil else { return nil }
        uploads[id]?.insert(number)
        return Sample.part(number)
    }

    mutating func commit(_ id: String) {
        committing.remove(id)
        guard uploads.removeValue(forKey: id) != nil else { return }
        hasObject = true
    }

    mutating func abort(_ id: String) {
        uploads[id] = nil
        committing.remove(id)
    }
}
