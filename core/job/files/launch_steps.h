// Reads the parts of a launch file that become steps: launches, their arguments, and the copies before and
// after them.
#pragma once

#include "core/base/json/json_reader.h"
#include "core/launch/launch_request.h"

namespace warplens {

// The index of the buffer that the node names. Fails if there is no such buffer.
uint32_t read_buffer_name(JsonReader& reader, const JsonNode& node, const LaunchRequest& request);

// The texture or surface that the node describes, over a buffer of the request.
TextureArgument read_texture(JsonReader& reader, const JsonNode& node, const LaunchRequest& request);

// "entry", "grid", "block", "shared_bytes", "cooperative" and "args" of `node`.
LaunchStep read_launch(JsonReader& reader, const JsonNode& node, const LaunchRequest& request);

// Fills request.steps from "steps" or from the short form, and marks the buffers that are copied out as
// outputs. Read the request's buffers first, and mark those with expected contents as outputs.
void read_steps(JsonReader& reader, const JsonNode& root, LaunchRequest& request);

}  // namespace warplens
