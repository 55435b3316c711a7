#include "core/program/decode/families.h"

#include <array>

namespace warplens::program {

namespace {

constexpr auto k_decoders = std::to_array<DecodeFunction>({
#define PTX_OPCODE(name, text, section, unit, decode, handlers) &decode_##decode,
#define PTX_FORM(name, syntax, operands)
#include "core/ptx/opcodes.def"
#undef PTX_FORM
#undef PTX_OPCODE
});

}  // namespace

DecodeFunction decoder_of(Opcode opcode) { return k_decoders[static_cast<size_t>(opcode)]; }

// It has no effect that a warp could observe here.
void decode_nothing(Emitter&, uint32_t, const Instruction&) {}

}  // namespace warplens::program
