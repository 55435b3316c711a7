// Runs a job on the real GPU and on the virtual GPU and compares their outputs.
#pragma once

#include "core/job/run_job.h"

namespace warplens {

// Runs a job for a real device on both engines of a backend that has both (make_preflighted). The machine
// code is linked without fusing multiplications with additions, so that it computes exactly what the PTX
// says. The result is the real GPU's, with the counts of the virtual GPU and a comparison of each output. If
// an output differs, the status is check_failed. If the virtual GPU finds a fault, its own result is
// returned.
Result<RunResult> run_on_both(const Job& job, Backend& backend, std::stop_token stop, Progress* progress);

// Compares element by element: bit for bit if `rtol` is 0, otherwise within rtol · max(|want|, rms(want)).
Comparison compare_outputs(const BufferSpec& buffer, const Bytes& got, const Bytes& want, double rtol,
                           const WriterMap* writers);

// The tolerance for buffers of this type to which atomics add floats, since the order of the additions is
// not fixed. 0 if there are no such atomics.
double order_tolerance(std::string_view ptx, DType type);

}  // namespace warplens
