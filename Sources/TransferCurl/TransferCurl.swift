// TransferCurl
