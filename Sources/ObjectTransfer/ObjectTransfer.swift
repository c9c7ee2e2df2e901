/// Everything that users of the library touch, in one import.
@_exported public import AliyunOSS
@_exported public import AliyunVOD
@_exported public import AmazonS3
@_exported public import TransferCore
@_exported public import TransferCurl
@_exported public import TransferHTTP
@_exported public import TransferPrimitives
@_exported public import VolcanoTOS
