// The tables of docs/benchmark-tables.md, as Markdown on standard output.
#pragma once

#include <string>

namespace warplens::bench {

// Tables for the instruction set that the process has chosen (WARPLENS_ISA). `only` selects the cases whose
// names contain it; empty selects all.
void print_kernels(const std::string& only);    // ratios to scalar loops, and the overhead of observation
void print_profile(const std::string& only);    // where each kernel spends its time, by form of instruction
void print_observers(const std::string& only);  // the overhead of observation and checks, kernel by kernel
void print_processor(const std::string& only);  // processor time, for machines that others use too
// Every built-in kernel at its usual size: processor time of handlers and of machine code, and the overhead
// of counters. block: the shape for kernels of several axes, as 16x16; empty selects the usual one.
void print_every(const std::string& only, const std::string& block);
// The time to compile each kernel to machine code.
void print_compiling();
// Tables that do not depend on the instruction set.
void print_texts();      // parsing and decoding a long PTX
void print_live();       // pictures a second of live mode
void print_compilers();  // each built-in kernel by NVRTC and by clang
void print_memory();     // the peak memory of a process, in addition to the device memory that it touches
void print_sm();         // warp instructions that the model of an SM replays a second

// print_memory starts this in separate processes: it runs case `number` and prints KiB.
int run_memory_case(const std::string& number);

}  // namespace warplens::bench
