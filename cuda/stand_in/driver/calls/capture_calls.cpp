// The calls that begin and end a capture, and what they tell of it.
#include <algorithm>
#include <utility>

#include "cuda/stand_in/driver/calls/blocks.h"
#include "cuda/stand_in/driver/calls/capture.h"
#include "cuda/stand_in/driver/calls/graphs.h"

namespace warplens::driver {

namespace {

bool is_mode(CUstreamCaptureMode mode) {
  return mode >= CU_STREAM_CAPTURE_MODE_GLOBAL && mode <= CU_STREAM_CAPTURE_MODE_RELAXED;
}

CUresult may_begin(Gpu& device, const Stream* stream) {
  if (is_legacy(stream))
    return device.refuse(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                         "The legacy default stream cannot be captured: capture a stream of cuStreamCreate.");
  return stream->capture != nullptr ? CUDA_ERROR_ILLEGAL_STATE : CUDA_SUCCESS;
}

Capture& begin(Gpu& device, Stream& stream, CUstreamCaptureMode mode, std::shared_ptr<Graph> graph,
               bool own) {
  auto made = std::make_unique<Capture>();
  made->id = ++device.graphs.numbers;
  made->mode = mode;
  made->thread = std::this_thread::get_id();
  made->graph = std::move(graph);
  made->own_graph = own;
  made->origin = &stream;
  join_capture(*made, stream);
  device.graphs.captures.push_back(std::move(made));
  return *device.graphs.captures.back();
}

struct CaptureInfo {
  CUstreamCaptureStatus* status = nullptr;
  cuuint64_t* id = nullptr;
  CUgraph* graph = nullptr;
  const CUgraphNode** nodes = nullptr;
  const CUgraphEdgeData** edges = nullptr;
  size_t* count = nullptr;
  bool tells_edges = false;
};

CUresult tell(const Stream* stream, const CaptureInfo& to) {
  const Capture* capture = stream == nullptr ? nullptr : stream->capture;
  *to.status = capture == nullptr     ? CU_STREAM_CAPTURE_STATUS_NONE
               : capture->invalidated ? CU_STREAM_CAPTURE_STATUS_INVALIDATED
                                      : CU_STREAM_CAPTURE_STATUS_ACTIVE;
  if (*to.status != CU_STREAM_CAPTURE_STATUS_ACTIVE) return CUDA_SUCCESS;
  if (to.id != nullptr) *to.id = capture->id;
  if (to.graph != nullptr) *to.graph = handle_of(capture->graph.get());
  if (to.count != nullptr) *to.count = stream->captured.size();
  const bool plain = std::ranges::all_of(stream->captured_edges, [](const CUgraphEdgeData& edge) {
    return edge.type == 0 && edge.from_port == 0;
  });
  if (to.nodes != nullptr && !to.tells_edges && !plain) return CUDA_ERROR_LOSSY_QUERY;
  // A handle is the node's address, so that the stream's own list is one of handles.
  if (to.nodes != nullptr) *to.nodes = reinterpret_cast<const CUgraphNode*>(stream->captured.data());
  if (to.edges != nullptr) *to.edges = stream->captured_edges.data();
  return CUDA_SUCCESS;
}

CUresult capture_info(CUstream handle, const CaptureInfo& to) {
  if (to.status == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return with_stream(Waits::no, handle, [&](Gpu& device, Context& context, Stream* stream) -> CUresult {
    if (is_legacy(stream) && find_blocking_capture(device, context) != nullptr)
      return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
    return tell(stream, to);
  });
}

CUresult take_graph(Gpu& device, Capture& capture, CUgraph* made) {
  const CUresult code = capture.invalidated ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED
                        : is_unjoined(capture)
                            ? device.refuse(CUDA_ERROR_STREAM_CAPTURE_UNJOINED,
                                            "The capture ends while another stream that joined it "
                                            "has work that the first one does not wait for: record "
                                            "an event there, and let the first stream wait for it.")
                            : CUDA_SUCCESS;
  const std::shared_ptr<Graph> graph = capture.graph;
  if (code == CUDA_SUCCESS && capture.own_graph) device.graphs.own.emplace(graph.get(), graph);
  if (code == CUDA_SUCCESS) *made = handle_of(graph.get());
  end_capture(device, capture);
  return code;
}

CUresult update_dependencies(CUstream handle, const CUgraphNode* nodes, const CUgraphEdgeData* edges,
                             size_t count, unsigned flags) {
  return with_stream(Waits::no, handle, [&](Gpu& device, Context&, Stream* stream) -> CUresult {
    if (!is_captured(stream)) return CUDA_ERROR_ILLEGAL_STATE;
    if (stream->capture->invalidated) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    std::vector<GraphNode*> found;
    if (flags > CU_STREAM_SET_CAPTURE_DEPENDENCIES ||
        !find_nodes(device, *stream->capture->graph, nodes, count, found))
      return CUDA_ERROR_INVALID_VALUE;
    if (flags == CU_STREAM_SET_CAPTURE_DEPENDENCIES) {
      stream->captured.clear();
      stream->captured_edges.clear();
    }
    const size_t first = stream->captured.size();
    depend_on(*stream, found);
    for (size_t i = first; edges != nullptr && i < stream->captured.size(); ++i)
      stream->captured_edges[i] = edges[std::ranges::find(found, stream->captured[i]) - found.begin()];
    return CUDA_SUCCESS;
  });
}

}  // namespace

}  // namespace warplens::driver

using namespace warplens::driver;

extern "C" {

CUresult cuStreamBeginCapture_v2(CUstream handle, CUstreamCaptureMode mode) {
  if (!is_mode(mode)) return invalid_value();
  return with_stream(Waits::no, handle, [&](Gpu& device, Context&, Stream* stream) -> CUresult {
    if (const CUresult error = may_begin(device, stream); error != CUDA_SUCCESS) return error;
    begin(device, *stream, mode, std::make_shared<Graph>(device.graphs), true);
    return CUDA_SUCCESS;
  });
}
CUresult cuStreamBeginCapture(CUstream handle) {
  return cuStreamBeginCapture_v2(handle, CU_STREAM_CAPTURE_MODE_GLOBAL);
}

CUresult cuStreamBeginCaptureToGraph(CUstream handle, CUgraph graph_handle, const CUgraphNode* dependencies,
                                     const CUgraphEdgeData* edges, size_t count, CUstreamCaptureMode mode) {
  if (graph_handle == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (!is_mode(mode)) return invalid_value();
  return with_stream(Waits::no, handle, [&](Gpu& device, Context&, Stream* stream) -> CUresult {
    const auto own = device.graphs.own.find(graph_handle);
    std::vector<GraphNode*> after;
    if (own == device.graphs.own.end() || !find_nodes(device, *own->second, dependencies, count, after))
      return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult error = may_begin(device, stream); error != CUDA_SUCCESS) return error;
    begin(device, *stream, mode, own->second, false);
    depend_on(*stream, after);
    if (edges != nullptr) stream->captured_edges.assign(edges, edges + count);
    return CUDA_SUCCESS;
  });
}

CUresult cuStreamEndCapture(CUstream handle, CUgraph* made) {
  return with_stream(Waits::no, handle, [&](Gpu& device, Context&, Stream* stream) -> CUresult {
    if (!is_captured(stream)) return CUDA_ERROR_ILLEGAL_STATE;
    if (made == nullptr) return CUDA_ERROR_INVALID_VALUE;
    Capture& capture = *stream->capture;
    *made = nullptr;
    if (capture.origin != stream)
      return invalidate_capture(device, capture, CUDA_ERROR_STREAM_CAPTURE_UNMATCHED,
                                "The capture began in another stream: end it there.");
    if (capture.mode != CU_STREAM_CAPTURE_MODE_RELAXED && capture.thread != std::this_thread::get_id())
      return device.refuse(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD,
                           "Another thread began the capture: end it there, or capture with "
                           "CU_STREAM_CAPTURE_MODE_RELAXED.");
    return take_graph(device, capture, made);
  });
}

CUresult cuStreamIsCapturing(CUstream handle, CUstreamCaptureStatus* status) {
  return capture_info(handle, {.status = status});
}
CUresult cuStreamGetCaptureInfo(CUstream handle, CUstreamCaptureStatus* status, cuuint64_t* id) {
  return capture_info(handle, {.status = status, .id = id});
}
CUresult cuStreamGetCaptureInfo_v2(CUstream handle, CUstreamCaptureStatus* status, cuuint64_t* id,
                                   CUgraph* graph, const CUgraphNode** nodes, size_t* count) {
  return capture_info(handle, {.status = status, .id = id, .graph = graph, .nodes = nodes, .count = count});
}
CUresult cuStreamGetCaptureInfo_v3(CUstream handle, CUstreamCaptureStatus* status, cuuint64_t* id,
                                   CUgraph* graph, const CUgraphNode** nodes, const CUgraphEdgeData** edges,
                                   size_t* count) {
  return capture_info(handle, {.status = status,
                               .id = id,
                               .graph = graph,
                               .nodes = nodes,
                               .edges = edges,
                               .count = count,
                               .tells_edges = edges != nullptr});
}

CUresult cuStreamUpdateCaptureDependencies(CUstream handle, CUgraphNode* nodes, size_t count,
                                           unsigned flags) {
  return update_dependencies(handle, nodes, nullptr, count, flags);
}
CUresult cuStreamUpdateCaptureDependencies_v2(CUstream handle, CUgraphNode* nodes,
                                              const CUgraphEdgeData* edges, size_t count, unsigned flags) {
  return update_dependencies(handle, nodes, edges, count, flags);
}

}  // extern "C"
