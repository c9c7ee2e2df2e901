// TransferXML
