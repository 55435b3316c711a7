// One job on the real GPU and on the virtual one, and their outputs held against each other.
#pragma once

#include "core/job/run_job.h"

namespace warplens {

// Runs the job on both engines of a backend that has both (make_preflighted), for its real device. The
// machine code is linked without fusing multiplications with additions, so that it computes what the PTX
// says. The result is the real GPU's with the virtual one's counts and a comparison of each output; where one
// differs, its status is check_failed. What the virtual GPU finds wrong is the result instead.
Result<RunResult> run_on_both(const Job& job, Backend& backend, std::stop_token stop, Progress* progress);

// Element by element: bit for bit, or, with `rtol` > 0, within rtol · max(|want|, rms(want)).
Comparison compare_outputs(const BufferSpec& buffer, const Bytes& got, const Bytes& want, double rtol,
                           const WriterMap* writers);

// The tolerance for a buffer of this type where atomics add floats in an order that nobody knows; 0: none do.
double order_tolerance(std::string_view ptx, DType type);

}  // namespace warplens
