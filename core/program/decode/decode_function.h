// Decodes one function from its tree to ops. Private to core/program.
#pragma once

#include <vector>

#include "core/program/decode/emitter.h"

namespace warplens::program {

// All functions must have their slots (Emitter, give_signature_slots) before the first one is decoded, since
// it may call another.
std::vector<Diagnostic> decode_function(Emitter& emitter);

}  // namespace warplens::program
