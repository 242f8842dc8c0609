// A pipeline of two cores. Both its ends pass the memory tile (0,1), on one arbiter:
// who holds it waits for a core that can only go on when the other one gets it.
// check --from aie: DEADLOCK (ends); link: free.
module {
  aie.device(npu2) {
    %s0 = aie.tile(0, 0)
    %m = aie.tile(0, 1)
    %c2 = aie.tile(0, 2)
    %c3 = aie.tile(0, 3)
    %mux0 = aie.shim_mux(%s0) { aie.connect<DMA : 0, North : 3>
      aie.connect<North : 2, DMA : 0> }
    %b0 = aie.switchbox(%s0) {
      %0 = aie.amsel<0> (0)
      %1 = aie.amsel<1> (0)
      %2 = aie.masterset(North : 1, %0)
      %3 = aie.masterset(South : 2, %1)
      aie.packet_rules(South : 3) { aie.rule(31, 0, %0) }
      aie.packet_rules(North : 3) { aie.rule(31, 2, %1) }
    }
    %bm = aie.switchbox(%m) {
      %0 = aie.amsel<5> (0)
      %1 = aie.amsel<5> (1)
      %2 = aie.masterset(North : 1, %0)
      %3 = aie.masterset(South : 3, %1)
      aie.packet_rules(South : 1) { aie.rule(31, 0, %0) }
      aie.packet_rules(North : 3) { aie.rule(31, 2, %1) }
    }
    %b2 = aie.switchbox(%c2) {
      %0 = aie.amsel<0> (0)
      %1 = aie.amsel<1> (0)
      %2 = aie.amsel<2> (0)
      %3 = aie.masterset(DMA : 0, %0)
      %4 = aie.masterset(North : 1, %1)
      %5 = aie.masterset(South : 3, %2)
      aie.packet_rules(South : 1) { aie.rule(31, 0, %0) }
      aie.packet_rules(DMA : 0) { aie.rule(31, 1, %1) }
      aie.packet_rules(North : 3) { aie.rule(31, 2, %2) }
    }
    %b3 = aie.switchbox(%c3) {
      %0 = aie.amsel<0> (0)
      %1 = aie.amsel<1> (0)
      %2 = aie.masterset(DMA : 0, %0)
      %3 = aie.masterset(South : 3, %1)
      aie.packet_rules(South : 1) { aie.rule(31, 1, %0) }
      aie.packet_rules(DMA : 1) { aie.rule(31, 2, %1) }
    }
  }
}
