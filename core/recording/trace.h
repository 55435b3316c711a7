// A recording for viewers of time lines, such as Perfetto (ui.perfetto.dev) and chrome://tracing.
#pragma once

#include <string>

#include "core/recording/recording.h"

namespace warplens::recording {

// JSON of the Trace Event Format: what the device did by its clock, one track a stream and direction of
// copies; what this machine did by its own; waits of streams as flows, findings as instants. Times are in
// microseconds.
std::string trace_text(const Recording& recording);

}  // namespace warplens::recording
