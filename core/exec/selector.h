// What decode knows of an instruction when it picks a handler: opcode, types and modifiers, resolved.
#pragma once

#include <cstdint>

#include "core/exec/op.h"
#include "core/ptx/modifier.h"
#include "core/ptx/opcode.h"

namespace warplens::exec {

enum class Collective : uint8_t;  // core/exec/collective.h
enum class MatrixJob : uint8_t;   // core/exec/matrix/matrix_op.h

struct Selector {
  ptx::Opcode opcode{};
  ptx::Modifier type{};         // of the result
  ptx::Modifier source_type{};  // of the sources, where the instruction names two types (cvt, set, slct)
  ptx::Modifier compare{};
  ptx::Modifier boolean{};    // with has_boolean
  ptx::Modifier operation{};  // of atom and red
  ptx::Modifier rounding{};   // with has_rounding
  ptx::Modifier permute{};    // of prmt: f4e … rc16; else the plain one
  ptx::Modifier property{};   // of testp
  bool has_boolean = false, has_rounding = false;
  bool boolean_negated = false;  // the predicate that is combined is written !c
  bool second_predicate = false;
  bool ftz = false, sat = false, approx = false, full = false, hi = false, wide = false, wrap = false,
       left = false, relu = false, nan = false;
  bool carry_in = false, carry_out = false;  // reads, writes the carry flag
  bool shift_amount = false;                 // of bfind
  bool xorsign = false;                      // min and max: .xorsign.abs
  bool pack = false;                         // cvt.pack
  uint8_t destination_bits = 32;             // of the destination register, which may be wider than the type
  uint8_t source_bits = 32;                  // of the source register
  uint8_t vector = 1;
};

// One instruction set's handlers. Each function returns empty handlers for what it does not know.
struct OpsTable {
  Handlers (*integer)(const Selector&);
  Handlers (*logic)(const Selector&);
  Handlers (*floating)(const Selector&);
  Handlers (*compare)(const Selector&);
  Handlers (*convert)(const Selector&);
  Handlers (*move)(const Selector&);
  Handlers (*memory)(const Selector&);
  Handlers (*atomic)(const Selector&);
  Handlers (*carry)(const Selector&);
  Handlers (*bits)(const Selector&);
  Handlers (*half)(const Selector&);
  Handlers (*convert_half)(const Selector&);
  Handlers (*atomic_half)(const Selector&);
  Handlers (*warp)(Collective);
  Handlers (*matrix)(MatrixJob);
};

const OpsTable& ops_baseline();
#if defined(__x86_64__)
const OpsTable& ops_avx2();
const OpsTable& ops_avx512();
#endif

// The widest that this machine runs. The environment variable WARPLENS_ISA (baseline, avx2, avx512) asks for
// a narrower one; the results are the same on each.
const OpsTable& best_ops();
const char* best_ops_name();

// Any family's handler for the selector; empty where none knows it.
Handlers find_handlers(const OpsTable& table, const Selector& selector);

}  // namespace warplens::exec
