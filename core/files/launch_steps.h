// The parts of a launch file that become steps: launches, their arguments, and the order of copies around
// them.
#pragma once

#include "core/base/json/json_reader.h"
#include "core/launch/launch_request.h"

namespace warplens {

// Index of the buffer that the node names; fails where there is none.
uint32_t read_buffer_name(JsonReader& reader, const JsonNode& node, const LaunchRequest& request);

// The texture or surface that the node describes, over a buffer of the request.
TextureArgument read_texture(JsonReader& reader, const JsonNode& node, const LaunchRequest& request);

// "entry", "grid", "block", "shared_bytes", "cooperative" and "args" of `node`.
LaunchStep read_launch(JsonReader& reader, const JsonNode& node, const LaunchRequest& request);

// Fills request.steps, out of "steps" or the short form, and marks the buffers that are copied out as
// outputs. The request's buffers are read already, with those that are expected marked as outputs.
void read_steps(JsonReader& reader, const JsonNode& root, LaunchRequest& request);

}  // namespace warplens
