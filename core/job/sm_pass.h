// The model of an SM for a launch: a sample of its blocks runs again, and the model replays what they
// executed (core/gpu/timing/sm, docs/sm-model.md).
#pragma once

#include <memory>
#include <stop_token>
#include <string>

#include "core/base/result.h"
#include "core/gpu/timing/sm/simulate.h"
#include "core/launch/run_result.h"

namespace warplens {

// Warp instructions of the sample.
constexpr uint64_t affordable_sm_instructions = 400'000;

struct SmModel {
  std::shared_ptr<const sm::Work> work;
  sm::Settings settings;
  sm::Run run;
  uint64_t blocks_of_sm = 0;  // of the SM with the most; `run` has settings.blocks of them
  std::shared_ptr<const SmStates> states;
};

// How many of an SM's blocks are modelled: those of the sample, and so many that the SM is full for a while.
uint64_t modelled_blocks(const sm::Settings& settings, uint64_t sampled);

// Why the launch cannot be modelled. Empty if it may be.
std::string why_no_sm(const RunResult& result, size_t launch);

// Models the result's first launch. With `spans`, the run says what each warp did when. Empty if the sample
// says nothing: a block that waits for others.
Result<std::shared_ptr<const SmModel>> model_sm(const RunResult& result, uint64_t instructions, bool spans,
                                                std::stop_token stop);

// The result with the states of the first launch added. Without a model it stays as it is.
Result<RunResult> with_sm(const RunResult& result, std::stop_token stop);

}  // namespace warplens
