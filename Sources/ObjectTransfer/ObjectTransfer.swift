// ObjectTransfer
