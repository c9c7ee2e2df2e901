/// A large value behind a reference, so that keeping room for it and copying it cost little. Copied when it is changed
/// while shared, like an array's storage.
package struct Boxed<Value: Sendable>: Sendable {
    @usableFromInline
    final class Storage: @unchecked Sendable {
        // Sendable by hand: `value` changes only while there is one reference.
        @usableFromInline var value: Value

        @inlinable
        init(_ value: Value) { self.value = value }
    }

    @usableFromInline var storage: Storage

    @inlinable
    package init(_ value: Value) { storage = Storage(value) }

    @inlinable
    package var value: Value {
        _read { yield storage.value }
        _modify {
            if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.value) }
            yield &storage.value
        }
    }
}
