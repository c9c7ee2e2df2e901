extension Options {
    static let help = """
        Makes one transfer and prints its seconds, without the start of the process, as {"op_s": …} on one line.

        usage: transfer-bench WORK --endpoint URL --bucket NAME --key KEY [options]

          put FILE                   uploads a file, in parts
          get [FILE]                 downloads the object to a file; without one, reads it and keeps nothing
          copy SOURCE-KEY            copies an object of the same bucket inside the service, in parts
          small DIR                  uploads every file of a directory below KEY, each by one request

        options
          --endpoint URL             the server; the bucket is in the path when its host is an IP address
          --dialect oss|tos|s3       what it speaks; s3 unless said otherwise
          --region ID                what requests are signed for; any that the dialect knows unless said otherwise
          --bucket NAME, --key KEY   the object, or with small the prefix
          --part-mib N               MiB of a part; the library's default unless said otherwise
          --jobs N                   parts, or with small files, at once: 1 to 1000, 4 unless said otherwise
          --checkpoint PATH          keeps a checkpoint there; a path that ends in / is a directory
          --no-checksum              a resume trusts the record and does not read stored parts again; the CRC-64 of what is
                                     sent cannot be switched off
          --stop-after N             pauses when N parts are stored, and counts that as success
          --loops N                  threads that drive connections, 1 to 16; the library's default unless said otherwise
          --buffer-kib N             KiB of the upload buffer of a connection; the library's default unless said otherwise
          --ca-file FILE             certificate authorities in PEM form
          --json                     tells also bytes, parts and how far the object was verified

        ACCESS_KEY and SECRET_KEY are taken from the environment.
        Exit status: 0 done, 1 failed with one line on standard error, 2 a command line that cannot be followed.
        """
}
