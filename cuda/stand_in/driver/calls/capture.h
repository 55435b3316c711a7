// Streams that are being captured: their work becomes nodes of a graph.
#pragma once

#include <span>

#include "cuda/stand_in/driver/calls/entry.h"
#include "cuda/stand_in/driver/state/gpu.h"

namespace warplens::driver {

inline bool is_captured(const Stream* stream) { return stream != nullptr && stream->capture != nullptr; }

// Called while streams are captured: whether a call may use this stream (null: the legacy default one). A
// forbidden use makes the capture invalid.
CUresult use_beside_captures(Gpu& device, const Context& context, const Stream* stream, Waits waits);
// For calls that a capture would miss, as an allocation that is not in the order of a stream. Costs nothing
// if nothing is captured.
CUresult missed_by_captures(Gpu& device);
// For calls that wait for the whole context.
CUresult waits_for_captures(Gpu& device, const Context& context);
// For calls that ask for the state of an event.
CUresult event_beside_captures(Gpu& device, const Event& event);

// Adds the work as the stream's next node.
CUresult capture_node(Gpu& device, Stream& stream, NodeWork work);
// The same for work that the table of kinds makes (graph_nodes.h). Values that the program gets back are then
// in `parameters`.
CUresult capture_made(Gpu& device, Stream& stream, CUgraphNodeParams& parameters);
// cuEventRecord and cuStreamWaitEvent, if the stream or the event is captured.
CUresult capture_record(Gpu& device, Stream& stream, Event& event, unsigned flags);
CUresult capture_wait(Gpu& device, Stream* stream, Event& event, unsigned flags);

void drop_from_captures(Gpu& device, Stream& stream);  // the stream is destroyed
void end_captures_in(Gpu& device, const Context& context);

// For the calls that begin and end a capture (capture_calls.cpp).
CUresult invalidate_capture(Gpu& device, Capture& capture, CUresult code, const char* sentence);
// A capture with a stream that the legacy default stream waits for; null if there is none.
Capture* find_blocking_capture(Gpu& device, const Context& context);
void join_capture(Capture& capture, Stream& stream);
void depend_on(Stream& stream, const std::vector<GraphNode*>& nodes);  // besides what it depends on
// Whether the last node of another stream is one that the first stream does not wait for.
bool is_unjoined(const Capture& capture);
void end_capture(Gpu& device, Capture& capture);  // and all of it

}  // namespace warplens::driver
