// Turns a fault of the executor into an incident with kernel file and line, block, thread and a sentence.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/gpu/exec/grid.h"
#include "core/gpu/exec/state/memory.h"
#include "core/launch/incident_advice.h"
#include "core/launch/run_result.h"
#include "core/program/program.h"

namespace warplens {

struct SourcePlace {
  std::string file;
  uint32_t line = 0;
};

// The source of an instruction: its innermost .loc. If that has line 0 ("no line"), it is the nearest line
// before it in the text.
SourcePlace source_place(const program::Program& program, uint32_t instruction);

// The place that a message names, which is the user's where there is one: the innermost line that is in no
// header of a library. `inside`: the lines of headers that it leads to, the outermost first. `inlined_at`: as
// above, of the place.
struct MessagePlace {
  SourcePlace place;
  std::vector<SourcePlace> inside, inlined_at;
};
MessagePlace message_place(const program::Program& program, uint32_t instruction);
// Whether a file belongs to the CUDA toolkit, a compiler, the system or an installed package.
bool is_library_header(std::string_view file);

// The array that an access to global memory was meant for: the one that holds the address, else the one below
// it. Null if there is none, and for addresses past the end of all device memory, such as those of host
// memory.
const exec::Allocation* array_near(const exec::Memory& memory, uint64_t address);

// The place of an instruction, as message_place finds it.
void set_place(Incident& incident, const program::Program& program, uint32_t instruction);

// What follows the sentence of an incident in a library's header: " This is in a.hpp:112, called at b.hpp:7."
std::string header_words(const program::Program& program, uint32_t instruction);

Incident describe(const exec::Fault& fault, const program::Program& program, const exec::Memory& memory,
                  Dim3 block_position, Dim3 block_extent);

}  // namespace warplens
