// TransferHTTP
