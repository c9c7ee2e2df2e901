import Testing

@testable import Simulation

/// The disk must lose what a real one may lose, and nothing that was synchronised.
@Suite struct SimulatedDiskTests {
    private func afterPowerCut(seed: UInt64, _ prepare: (SimulatedDisk) -> Void) -> SimulatedDisk {
        let disk = SimulatedDisk()
        prepare(disk)
        var random = TracedRandom(seed: seed)
        disk.cutPower(&random) { _ in }
        return disk
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func whatWasSynchronisedStays(seed: UInt64) {
        let disk = afterPowerCut(seed: seed) { disk in
            let file = disk.create("/data/a")
            file.apply(.write([1, 2, 3], at: 0))
            file.synchronize()
            disk.synchronizeDirectory("/data")
            file.apply(.write([4, 5, 6], at: 3))
        }
        #expect(disk.file("/data/a")?.bytes.prefix(3) == [1, 2, 3])
    }

    @Test func anUnsynchronisedTailMayStayBeLostOrBeTorn() {
        let remains = (0..<400).map { seed in
            afterPowerCut(seed: seed) { disk in
                let file = disk.create("/data/a")
                file.apply(.write([1, 2, 3], at: 0))
                disk.settle()
                file.apply(.write([4, 5, 6], at: 3))
            }.file("/data/a")?.bytes
        }
        #expect(remains.contains([1, 2, 3, 4, 5, 6]))
        #expect(remains.contains([1, 2, 3]))
        #expect(remains.contains([1, 2, 3, 4]))
        #expect(remains.contains { $0?.count == 6 && $0 != [1, 2, 3, 4, 5, 6] })
    }

    @Test func aRenameStaysWholeOrIsUndone() {
        let names = (0..<100).map { seed in
            afterPowerCut(seed: seed) { disk in
                disk.create("/data/old").apply(.write([1], at: 0))
                disk.create("/data/new").apply(.write([2], at: 0))
                disk.settle()
                disk.rename("/data/new", to: "/data/old")
            }.names.mapValues(\.bytes)
        }
        #expect(Set(names) == [["/data/old": [1], "/data/new": [2]], ["/data/old": [2]]])
    }

    @Test func aNameIsDurableOnceItsDirectoryIs() {
        for seed in 0..<100 as Range<UInt64> {
            let disk = afterPowerCut(seed: seed) { disk in
                _ = disk.create("/data/a")
                disk.synchronizeDirectory("/data")
                _ = disk.create("/records/b")
                disk.remove("/data/a")
                disk.synchronizeDirectory("/records")
            }
            #expect(disk.file("/records/b") != nil)
        }
    }
}
