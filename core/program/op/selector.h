// What decode uses to pick the handlers of an instruction: opcode, types and modifiers, resolved.
#pragma once

#include <cstdint>

#include "core/program/op/op.h"
#include "core/ptx/modifier.h"
#include "core/ptx/opcode.h"

namespace warplens::program {

struct Selector {
  ptx::Opcode opcode{};
  ptx::Modifier type{};         // of the result
  ptx::Modifier source_type{};  // of the sources, if the instruction names two types (cvt, set, slct)
  ptx::Modifier compare{};
  ptx::Modifier boolean{};    // with has_boolean
  ptx::Modifier operation{};  // of atom and red
  ptx::Modifier rounding{};   // with has_rounding
  ptx::Modifier permute{};    // of prmt: f4e … rc16; otherwise the plain mode
  ptx::Modifier property{};   // of testp
  bool has_boolean = false, has_rounding = false;
  bool boolean_negated = false;  // the combined predicate is written !c
  bool second_predicate = false;
  bool ftz = false, sat = false, approx = false, full = false, hi = false, wide = false, wrap = false,
       left = false, relu = false, nan = false;
  bool carry_in = false, carry_out = false;  // reads, writes the carry flag
  bool shift_amount = false;                 // of bfind
  bool abs = false, xorsign = false;         // of min and max
  bool pack = false;                         // cvt.pack
  uint8_t destination_bits = 32;             // of the destination register, which may be wider than the type
  uint8_t source_bits = 32;                  // of the source register
  uint8_t vector = 1;
  uint8_t sources = 0;  // of arithmetic: how many operands it reads
};

}  // namespace warplens::program
