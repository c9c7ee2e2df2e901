// TransferCore
