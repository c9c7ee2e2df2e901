import Testing
import TransferPrimitives

@testable import TransferCore

/// The text of a checkpoint file: what is written is read back, what is broken is never believed.
@Suite struct CheckpointJournalTests {
    @Test func whatIsWrittenIsReadBack() throws {
        let bytes = try JournalSample.bytes()
        let contents = CheckpointJournal.read(bytes)
        #expect(contents.record == JournalSample.record())
        #expect(contents.goodLength == UInt64(bytes.count))
        #expect(contents.record?.source.isSame(as: JournalSample.checkpoint.source) == true)
    }

    @Test func isTextOfOneLinePerFact() throws {
        let lines = String(decoding: try JournalSample.bytes(), as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 5)
        #expect(lines[0].hasPrefix(#"{"objectTransferCheckpoint":1,"transfer":{"#))
        #expect(lines[2].hasPrefix(#"{"etag":"1","part":1} "#))
        #expect(lines[4].hasPrefix(#"{"completing":true} "#))
        for line in lines {
            let digits = line.suffix(8)
            #expect(line.dropLast(8).last == " ")
            #expect(UInt32(digits, radix: 16) == CRC32.checksum(line.dropLast(9).utf8))
        }
    }

    /// The lines of parts are written by hand, and read by a decoder.
    @Test(arguments: [
        JournalSample.parts[0], JournalSample.parts[1],
        CompletedPart(number: 10_000, etag: ETag("\\ \"\u{1}\t\r\n\u{1F}/é\u{7F}💾"), size: .max),
        CompletedPart(
            number: 3, etag: ETag(""), size: 0, checksums: [.crc64NVME: "b", .crc64: "a", .init(rawValue: "\""): "\\"],
            isConfirmed: true),
    ])
    func partsAreWrittenAsAnEncoderWouldWriteThem(_ part: CompletedPart) throws {
        let line = CheckpointJournal.part(part)
        let json = Array(line.dropLast(10))
        #expect(try JSON.decode(CompletedPart.self, json) == part)
        #expect(try JSON.decode(CompletedPart.self, json).etag.rawValue == part.etag.rawValue)
        #expect(JournalSample.line(String(decoding: json, as: UTF8.self)) == line)
        if part.number < 10_000 { #expect(try JSON.encode(part, sorted: true) == json) }
    }

    /// A header claims nothing about parts; the lines do.
    @Test func theHeaderHoldsNoParts() throws {
        let header = try CheckpointJournal.header(JournalSample.record())
        #expect(CheckpointJournal.read(header).record == JournalSample.record(parts: [], isCompleting: false))
    }

    @Test func aLaterLineReplacesAnEarlierOne() throws {
        let again = CompletedPart(number: 2, etag: ETag("new"), size: 5)
        let bytes = try JournalSample.bytes(parts: JournalSample.parts + [again])
        #expect(CheckpointJournal.read(bytes).record?.parts.map(\.number) == [1, 2, 4])
        #expect(CheckpointJournal.read(bytes).record?.parts[1] == again)
    }

    @Test func partsMayFollowTheMark() throws {
        let bytes = try JournalSample.bytes() + CheckpointJournal.part(CompletedPart(number: 3, etag: ETag("3")))
        #expect(CheckpointJournal.read(bytes).record?.parts.map(\.number) == [1, 2, 3, 4])
        #expect(CheckpointJournal.read(bytes).record?.isCompleting == true)
    }

    /// Torn at any byte, a journal is what its whole lines say.
    @Test func tornAtEveryByte() throws {
        let lines = try JournalSample.lines()
        let bytes = lines.flatMap(\.self)
        var ends = [0]
        for line in lines { ends.append(ends[ends.count - 1] + line.count) }
        for length in 0..<bytes.count {
            let contents = CheckpointJournal.read(Array(bytes[..<length]))
            let whole = ends.lastIndex { $0 <= length } ?? 0
            guard whole > 0 else {
                #expect(["empty", "foreign", "damaged"].contains(contents.name))
                continue
            }
            #expect(contents.goodLength == UInt64(ends[whole]))
            #expect(
                contents.record
                    == JournalSample.record(parts: Array(JournalSample.parts.prefix(whole - 1)), isCompleting: false))
        }
    }

    /// No flipped bit is ever believed: what is read is a beginning of what was written.
    @Test func everyFlippedBit() throws {
        let bytes = try JournalSample.bytes()
        let beginnings = (0...JournalSample.parts.count).map {
            JournalSample.record(parts: Array(JournalSample.parts.prefix($0)), isCompleting: false)
        }
        for index in bytes.indices {
            for bit in 0..<8 {
                var flipped = bytes
                flipped[index] ^= 1 << UInt8(bit)
                let contents = CheckpointJournal.read(flipped)
                guard let record = contents.record else {
                    #expect(["damaged", "foreign"].contains(contents.name), "\(contents.name) at \(index)")
                    continue
                }
                // The case of a checksum's digits says nothing; everything else ends the record.
                #expect(beginnings.contains(record) || record == JournalSample.record(), "bit \(bit) of byte \(index)")
            }
        }
    }

    @Test func swappedAndDoubledLinesAreWhatTheySay() throws {
        var lines = try JournalSample.lines()
        lines.swapAt(1, 3)
        #expect(CheckpointJournal.read(lines.flatMap(\.self)).record == JournalSample.record())
        lines.insert(lines[2], at: 4)
        #expect(CheckpointJournal.read(lines.flatMap(\.self)).record == JournalSample.record())
        // A header is no part.
        lines.insert(lines[0], at: 2)
        #expect(CheckpointJournal.read(lines.flatMap(\.self)).record?.parts.count == 1)
    }

    @Test func foreignFiles() throws {
        let journal = try JournalSample.bytes()
        for (name, bytes) in [
            ("text", Array("hello\n".utf8)), ("array", Array("[1,2,3]\n".utf8)), ("object", Array("{}\n".utf8)),
            ("another checkpoint", Array(#"{"bucket":"b","upload_id":"u","parts_info":[]}"#.utf8)),
            ("BOM", [0xEF, 0xBB, 0xBF] + journal), ("blank before", [0x20] + journal), ("binary", Array(0...255)),
            ("UTF-16", journal.flatMap { [$0, 0] }), ("zeros", [UInt8](repeating: 0, count: 4096)),
            ("no UTF-8", [0xFF, 0xFE, 0x80] + journal),
        ] {
            #expect(CheckpointJournal.read(bytes).name == "foreign", "\(name)")
        }
        #expect(CheckpointJournal.read([]).name == "empty")
    }

    @Test func aDamagedHeader() throws {
        let rest = try JournalSample.lines().dropFirst().flatMap(\.self)
        for json in [
            #"{"objectTransferCheckpoint":"1"}"#, #"{"objectTransferCheckpoint":1}"#,
            #"{"objectTransferCheckpoint":null}"#,
            #"{"objectTransferCheckpoint":1,"transfer":[]}"#, #"{"objectTransferCheckpoint":1,"transfer":{"kind":1}}"#,
            #"{"objectTransferCheckpoint":1.5,"transfer":{}}"#, #"{"objectTransferCheckpoint":1"#,
            #"{"objectTransferCheckpoint":99999999999999999999}"#, #"{"objectTransferCheckpoint":-1}"#,
            #"{"objectTransferCheckpoint":0}"#,
        ] {
            #expect(CheckpointJournal.read(JournalSample.line(json) + rest).name == "damaged", "\(json)")
        }
        var header = try CheckpointJournal.header(JournalSample.checkpoint)
        header[header.count - 2] ^= 1
        #expect(CheckpointJournal.read(header + rest).name == "damaged", "a wrong checksum")
        #expect(CheckpointJournal.read(Array(header.dropLast())).name == "damaged", "no end of line")
        // JSON of the right shape whose text is no UTF-8.
        var broken = Array(#"{"objectTransferCheckpoint":1,"transfer":{"provider":"X"}}"#.utf8)
        if let index = broken.firstIndex(of: UInt8(ascii: "X")) { broken[index] = 0xFF }
        let digits = String(CRC32.checksum(broken), radix: 16)
        broken += Array(" \(String(repeating: "0", count: 8 - digits.count))\(digits)\n".utf8)
        #expect(CheckpointJournal.read(broken).name == "damaged")
    }

    @Test func newerVersionsAreToldApart() throws {
        for version in [2, 3, 1_000_000] {
            let header = JournalSample.line(#"{"objectTransferCheckpoint":\#(version),"whatever":{}}"#)
            #expect(CheckpointJournal.read(header).name == "newer \(version)")
            #expect(CheckpointJournal.read(header + [0xFF, 0x00]).name == "newer \(version)")
        }
    }

    /// A line that is whole and says nothing known ends the record, like a broken one: what is behind it depends on it.
    @Test func unknownLinesEndTheRecord() throws {
        let header = try CheckpointJournal.header(JournalSample.checkpoint)
        let part = CheckpointJournal.part(JournalSample.parts[0])
        for line in [
            JournalSample.line("{}"), JournalSample.line(#"{"completing":false}"#),
            JournalSample.line(#"{"completing":1}"#),
            JournalSample.line(#"{"part":0,"etag":"e"}"#), JournalSample.line(#"{"part":-1,"etag":"e"}"#),
            JournalSample.line(#"{"part":1}"#), JournalSample.line(#"{"part":1,"etag":5}"#), JournalSample.line("[]"),
            JournalSample.line(#"{"part":99999999999999999999,"etag":"e"}"#), JournalSample.line("null"),
            JournalSample.line(#"{"part":1,"etag":"e","size":-1}"#), Array("\n".utf8), Array("\r\n".utf8),
            JournalSample.line(String(repeating: "[", count: 10_000)),
            JournalSample.line("{\"part\":1,\"etag\":\"\u{0}\"}"),
        ] {
            let contents = CheckpointJournal.read(header + part + line + part)
            #expect(contents.record?.parts.map(\.number) == [2])
            #expect(contents.goodLength == UInt64(header.count + part.count))
        }
    }

    /// Members that a later version of this format may add are passed over.
    @Test func unknownMembersArePassedOver() throws {
        let header = try CheckpointJournal.header(JournalSample.checkpoint)
        let line = JournalSample.line(#"{"part":3,"etag":"e","new":{"a":[1]},"size":5}"#)
        #expect(
            CheckpointJournal.read(header + line).record?.parts == [CompletedPart(number: 3, etag: ETag("e"), size: 5)])
    }

    @Test func tenThousandPartsStayFarBelowTheLimit() throws {
        let etag = ETag("\"\(String(repeating: "f", count: 40))\"")
        let line = CheckpointJournal.part(
            CompletedPart(number: 10_000, etag: etag, size: .max, checksums: Checksums(crc64: .max), isConfirmed: true))
        #expect(UInt64(line.count) * 10_000 < CheckpointJournal.maximumSize / 4)
    }
}
