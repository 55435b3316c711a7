// The tables of docs/benchmarks.md, as Markdown on standard output.
#pragma once

#include <string>

namespace warplens::bench {

// Of the instruction set that the process has chosen (WARPLENS_ISA). `only`: cases whose names have this in
// them; empty: all.
void print_kernels(const std::string& only);    // ratios to scalar loops, and what observing costs
void print_profile(const std::string& only);    // where the time of each kernel goes, by form of instruction
void print_looking(const std::string& only);    // what observing and checking cost, kernel by kernel
void print_processor(const std::string& only);  // processor time, for machines that others use too
// Every built-in kernel at its usual size: processor time of handlers and of machine code, and what counters
// cost. block: the shape for kernels of several axes, as 16x16; empty: the usual one.
void print_every(const std::string& only, const std::string& block);
// What machine code takes to make, of each kernel.
void print_compiling();
// Of none in particular.
void print_texts();      // parsing and decoding a long PTX
void print_live();       // pictures a second of live mode
void print_compilers();  // each built-in kernel by NVRTC and by clang
void print_memory();     // the peak of a process, beyond the device memory that it touches

// What print_memory starts in processes of their own: case `number`. Prints KiB.
int run_memory_case(const std::string& number);

}  // namespace warplens::bench
