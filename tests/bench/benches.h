// The groups of benchmarks of the program, registered by main.
#pragma once

namespace warplens::bench {

void register_frames();
void register_steps();
void print_steps();  // printed after the benchmarks' own table
// From saving a kernel's file to its result.
void register_saves();

}  // namespace warplens::bench
