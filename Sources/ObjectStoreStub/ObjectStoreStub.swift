// ObjectStoreStub
