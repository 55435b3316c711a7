// The groups of benchmarks of the program, registered by main.
#pragma once

namespace warplens::bench {

void register_frames();

}  // namespace warplens::bench
