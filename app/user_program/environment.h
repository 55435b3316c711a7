// The surroundings of a program that runs on the virtual GPU: a folder of its own with the driver's library
// under the names that tools look for, and environment variables. All of it is only for the program, and gone
// when it ends.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace warplens::program_run {

struct Choices {
  std::string device = "rtx_3060";  // the id of a virtual device; where the GPU is real, the one like it
  std::vector<std::string> further_devices = {};  // ids: virtual ones that the program finds after it
  std::string clock = "modelled", sanitize = "off";
  bool counts = true;  // accesses, from which times on the GPU follow
  std::string steps;
  bool passes_faults = false;  // kernels go on after accesses outside of memory
  bool finds_waits = true;     // missing waits are looked for
  std::string stream_order;    // "late" or a seed; empty: work is done in the order of the calls
  bool quiet = false;
  bool record = false;
  std::vector<std::string> command;
  std::string launches;  // which, as recording::parse_selection takes it; empty: the first of each kernel
  uint64_t record_limit = 0;  // bytes
  bool lines = true;          // on the virtual GPU: kernels of Numba have line information
  // On a real GPU: NVIDIA's linker is hidden, so that numba-cuda hands PTX to the driver.
  bool ptx = false;
  // The environment variables for a real GPU (real_gpu.h); empty for a virtual one.
  std::vector<std::pair<std::string, std::string>> gpu_variables = {};
};

// The environment that the program finds.
struct ProgramEnvironment {
  std::string folder;                                          // removed by the caller
  std::string journals, launches;                              // folders in it
  std::vector<std::pair<std::string, std::string>> variables;  // to set
  int lock = -1;  // held while the launcher lives; closed by the caller
};

// Where libcuda.so.1 is: next to this program, where a build or an installation puts it. Kind missing where
// it is not.
Result<std::string> find_driver();

// Makes the folder. `driver` is the library that the program shall find. `command` is what will run: a Python
// of a virtual environment may bring libNVVM.
Result<ProgramEnvironment> make_environment(const std::string& driver, const Choices& choices,
                                            const std::string& command);

// For a list of folders such as PATH: `first`, followed by the variable's value.
std::string in_front_of(const std::string& first, const char* name);
// A file that can be run, in a folder that is made where it is missing. Errors: it cannot be written.
Result<void> write_script(const std::filesystem::path& path, const std::string& text);

// The first program of this name in PATH; the name itself where it has a slash or is not found.
std::string in_path(const std::string& name);

}  // namespace warplens::program_run
