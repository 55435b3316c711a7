#include "cuda/stand_in/driver/calls/capture.h"

#include <algorithm>

#include "cuda/stand_in/driver/calls/blocks.h"
#include "cuda/stand_in/driver/calls/graphs.h"

namespace warplens::driver {

CUresult invalidate_capture(Gpu& device, Capture& capture, CUresult code, const char* sentence) {
  capture.invalidated = true;
  return device.refuse(code, sentence);
}

Capture* find_blocking_capture(Gpu& device, const Context& context) {
  for (const auto& capture : device.graphs.captures)
    for (const Stream* stream : capture->streams)
      if (stream->context == &context && (stream->flags & CU_STREAM_NON_BLOCKING) == 0) return capture.get();
  return nullptr;
}

void join_capture(Capture& capture, Stream& stream) {
  stream.capture = &capture;
  stream.captured.clear();
  stream.captured_edges.clear();
  capture.streams.push_back(&stream);
}

void depend_on(Stream& stream, const std::vector<GraphNode*>& nodes) {
  for (GraphNode* node : nodes) {
    if (std::ranges::find(stream.captured, node) != stream.captured.end()) continue;
    stream.captured.push_back(node);
    stream.captured_edges.push_back(plain_edge);
  }
}

void end_capture(Gpu& device, Capture& capture) {
  for (Stream* stream : capture.streams) {
    stream->capture = nullptr;
    stream->captured.clear();
    stream->captured_edges.clear();
  }
  std::erase_if(device.graphs.captures, [&](const auto& one) { return one.get() == &capture; });
}

bool is_unjoined(const Capture& capture) {
  std::vector<GraphNode*> last = capture.last_of_others;
  for (const Stream* stream : capture.streams)
    if (stream != capture.origin) last.insert(last.end(), stream->captured.begin(), stream->captured.end());
  return !std::ranges::all_of(
      last, [&](const GraphNode* node) { return comes_before(*node, capture.origin->captured); });
}

namespace {

thread_local CUstreamCaptureMode mode_of_thread = CU_STREAM_CAPTURE_MODE_GLOBAL;

Capture* find_capture(Gpu& device, uint64_t id) {
  const auto at =
      std::ranges::find_if(device.graphs.captures, [&](const auto& one) { return one->id == id; });
  return at == device.graphs.captures.end() ? nullptr : at->get();
}

CUresult legacy_beside(Gpu& device, Capture& capture) {
  return invalidate_capture(
      device, capture, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT,
      "The legacy default stream waits for a stream that is being captured: use another stream, "
      "or capture one that was created with CU_STREAM_NON_BLOCKING.");
}

void follow(Stream& stream, GraphNode* made) {
  for (size_t i = 0; i < made->dependencies.size(); ++i)
    made->dependencies[i].data = i < stream.captured_edges.size() ? stream.captured_edges[i] : plain_edge;
  stream.captured = {made};
  stream.captured_edges = {plain_edge};
}

}  // namespace

CUresult use_beside_captures(Gpu& device, const Context& context, const Stream* stream, Waits waits) {
  if (waits == Waits::no) return CUDA_SUCCESS;
  if (is_legacy(stream)) {
    Capture* capture = find_blocking_capture(device, context);
    if (capture != nullptr) return legacy_beside(device, *capture);
  } else if (stream->capture != nullptr) {
    if (stream->capture->invalidated) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    if (waits == Waits::gives_node) return CUDA_SUCCESS;
    return invalidate_capture(
        device, *stream->capture, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
        waits == Waits::yes
            ? "A stream that is being captured does nothing yet, so it cannot be waited for: call "
              "cuStreamEndCapture first."
            : "This call does not become a node of a graph: make it outside of the capture.");
  }
  return waits == Waits::yes ? missed_by_captures(device) : CUDA_SUCCESS;
}

CUresult missed_by_captures(Gpu& device) {
  if (device.graphs.captures.empty() || mode_of_thread == CU_STREAM_CAPTURE_MODE_RELAXED) return CUDA_SUCCESS;
  for (const auto& capture : device.graphs.captures) {
    const bool is_own = capture->thread == std::this_thread::get_id();
    const bool forbids = is_own ? capture->mode != CU_STREAM_CAPTURE_MODE_RELAXED
                                : capture->mode == CU_STREAM_CAPTURE_MODE_GLOBAL &&
                                      mode_of_thread == CU_STREAM_CAPTURE_MODE_GLOBAL;
    if (!forbids) continue;
    return invalidate_capture(
        device, *capture, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
        "A call that is in no stream's order, while a stream is being captured: the graph would not "
        "have it. Make it before cuStreamBeginCapture, or capture with "
        "CU_STREAM_CAPTURE_MODE_RELAXED.");
  }
  return CUDA_SUCCESS;
}

CUresult waits_for_captures(Gpu& device, const Context& context) {
  for (const auto& capture : device.graphs.captures)
    if (capture->origin->context == &context)
      return invalidate_capture(
          device, *capture, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
          "A context cannot be waited for while one of its streams is being captured: call "
          "cuStreamEndCapture first.");
  return CUDA_SUCCESS;
}

CUresult event_beside_captures(Gpu& device, const Event& event) {
  if (event.capture != 0) {
    if (Capture* capture = find_capture(device, event.capture)) capture->invalidated = true;
    return device.refuse(CUDA_ERROR_CAPTURED_EVENT,
                         "The event was recorded in a stream that was being captured, so it does not mark "
                         "finished work: record it with CU_EVENT_RECORD_EXTERNAL.");
  }
  return missed_by_captures(device);
}

CUresult capture_node(Gpu&, Stream& stream, NodeWork work) {
  GraphNode* made = stream.capture->graph->add(std::move(work));
  for (GraphNode* before : stream.captured) add_edge(*before, *made, plain_edge);
  follow(stream, made);
  return CUDA_SUCCESS;
}

CUresult capture_made(Gpu& device, Stream& stream, CUgraphNodeParams& parameters) {
  GraphNode* made = nullptr;
  const CUresult error =
      new_node(device, *stream.context, *stream.capture->graph, stream.captured, parameters, made);
  if (error != CUDA_SUCCESS) {
    stream.capture->invalidated = true;
    return error;
  }
  follow(stream, made);
  return CUDA_SUCCESS;
}

CUresult capture_record(Gpu& device, Stream& stream, Event& event, unsigned flags) {
  if ((flags & CU_EVENT_RECORD_EXTERNAL) != 0)
    return capture_node(device, stream, RecordNode{reinterpret_cast<CUevent>(&event)});
  event.recorded = true;
  event.capture = stream.capture->id;
  event.captured = stream.captured;
  return CUDA_SUCCESS;
}

CUresult capture_wait(Gpu& device, Stream* stream, Event& event, unsigned flags) {
  if (is_captured(stream) && (flags & CU_EVENT_WAIT_EXTERNAL) != 0)
    return capture_node(device, *stream, WaitNode{reinterpret_cast<CUevent>(&event)});
  if (event.capture == 0) {
    if (!event.recorded) return CUDA_SUCCESS;
    return invalidate_capture(
        device, *stream->capture, CUDA_ERROR_STREAM_CAPTURE_ISOLATION,
        "A stream that is being captured waits for an event outside of the capture: record it in the "
        "capture, or wait with CU_EVENT_WAIT_EXTERNAL.");
  }
  Capture* capture = find_capture(device, event.capture);
  if (capture == nullptr)
    return device.refuse(CUDA_ERROR_CAPTURED_EVENT,
                         "The event was recorded in a capture that has ended: record it again.");
  if (capture->invalidated) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  if (is_legacy(stream)) return legacy_beside(device, *capture);
  if (stream->capture != nullptr && stream->capture != capture) {
    stream->capture->invalidated = true;
    return invalidate_capture(device, *capture, CUDA_ERROR_STREAM_CAPTURE_MERGE,
                              "A wait would join two captures into one: end one of them first.");
  }
  if (stream->capture == nullptr) join_capture(*capture, *stream);
  depend_on(*stream, event.captured);
  return CUDA_SUCCESS;
}

void drop_from_captures(Gpu& device, Stream& stream) {
  if (stream.capture == nullptr) return;
  Capture& capture = *stream.capture;
  if (capture.origin == &stream) return end_capture(device, capture);
  capture.last_of_others.insert(capture.last_of_others.end(), stream.captured.begin(), stream.captured.end());
  std::erase(capture.streams, &stream);
}

void end_captures_in(Gpu& device, const Context& context) {
  std::vector<Capture*> all;
  for (const auto& capture : device.graphs.captures)
    if (std::ranges::any_of(capture->streams, [&](const Stream* one) { return one->context == &context; }))
      all.push_back(capture.get());
  for (Capture* capture : all) end_capture(device, *capture);
}

}  // namespace warplens::driver

extern "C" CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode) {
  if (mode == nullptr) return warplens::driver::invalid_value();
  std::swap(*mode, warplens::driver::mode_of_thread);
  return CUDA_SUCCESS;
}
