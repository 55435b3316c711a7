// The parts for a program that is built with CUDA: the machine's GPUs, and a backend for them.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/device/real_gpus.h"
#include "core/launch/backend.h"

namespace warplens::cuda {

RealGpus find_real_gpus();

// Runs requests on the device that they name ("cuda:1"). Each device has a process of its own, for which
// `program` is started; it must call run_as_worker.
std::unique_ptr<Backend> make_real_gpus(const std::string& program);

// If the arguments of main() say that this is such a process, does its work and returns its exit status.
std::optional<int> run_as_worker(int argc, const char* const* argv);

}  // namespace warplens::cuda
