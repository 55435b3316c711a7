// Graphs that are ready to be launched, and their launches: each node in its turn, as the call that does the
// same on a stream. Branches that do not depend on each other have streams of their own, so that they overlap
// on the device's clock.
#include <algorithm>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

#include "cuda/stand_in/driver/calls/blocks.h"
#include "cuda/stand_in/driver/calls/graphs.h"
#include "cuda/stand_in/driver/calls/teardown.h"
#include "cuda/stand_in/driver/state/host_place.h"
#include "cuda/stand_in/driver/state/order.h"

namespace warplens::driver {

namespace {

constexpr unsigned long long known_flags =
    CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH | CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD |
    CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH | CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY;

// What cuGraphInstantiateWithParams reports in addition to the code.
struct Failure {
  CUgraphInstantiateResult result = CUDA_GRAPH_INSTANTIATE_ERROR;
  CUgraphNode node = nullptr;
};

CUresult may_instantiate(Gpu& device, const Graph* graph, unsigned long long flags) {
  if (graph == nullptr || graph->is_child)
    return device.refuse(CUDA_ERROR_INVALID_VALUE, "This is no graph that can be launched alone.");
  if ((flags & ~known_flags) != 0) return CUDA_ERROR_INVALID_VALUE;
  if ((flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH) != 0)
    return device.refuse(CUDA_ERROR_NOT_SUPPORTED,
                         "Graphs that kernels launch are not simulated: launch the graph from the host.");
  const bool is_there = std::ranges::any_of(device.graphs.execs,
                                            [&](const auto& row) { return row.second->source == graph->id; });
  if (is_there && has_memory_nodes(*graph))
    return device.refuse(
        CUDA_ERROR_NOT_SUPPORTED,
        "A graph with memory nodes has one executable graph at a time: call cuGraphExecDestroy first.");
  return CUDA_SUCCESS;
}

CUresult instantiate(CUgraphExec* made, CUgraph handle, unsigned long long flags, Failure& failure) {
  return with_context(Waits::no, [&](Gpu& device, Context&) -> CUresult {
    const Graph* graph = find_in(device.graphs.all, handle);
    if (made == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult error = may_instantiate(device, graph, flags); error != CUDA_SUCCESS) return error;
    auto exec = std::make_shared<GraphExec>();
    exec->graph = copy_of(*graph);
    exec->source = graph->id;
    exec->flags = flags;
    if (const GraphNode* cycle = lay_out(*exec)) {
      failure.result = CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE;
      for (const auto& [key, node] : device.graphs.nodes)
        if (node->id == cycle->original) failure.node = handle_of(node);
      return device.refuse(CUDA_ERROR_INVALID_VALUE, "The nodes of a graph wait for each other in a circle.");
    }
    *made = reinterpret_cast<CUgraphExec>(exec.get());
    device.graphs.execs.emplace(exec.get(), std::move(exec));
    failure.result = CUDA_GRAPH_INSTANTIATE_SUCCESS;
    return CUDA_SUCCESS;
  });
}

void drop_streams(Gpu& device, GraphExec& exec) {
  for (const Stream* one : exec.streams) {
    forget_stream(device, *one);
    device.streams.take(one);
  }
  exec.streams.clear();
}

// Streams of the branches but the first, which is the launch's own.
void make_streams(Gpu& device, Context& context, GraphExec& exec) {
  const bool fits =
      exec.streams.size() + 1 >= exec.branches &&
      std::ranges::all_of(exec.streams, [&](const Stream* one) { return one->context == &context; });
  if (fits) return;
  drop_streams(device, exec);
  while (exec.streams.size() + 1 < exec.branches) {
    auto stream = std::make_unique<Stream>();
    stream->context = &context;
    stream->id = ++device.numbers;
    stream->flags = CU_STREAM_NON_BLOCKING;
    order_stream(device, *stream);
    exec.streams.push_back(device.streams.add(std::move(stream)));
  }
}

// Before a launch, memory that the last one allocated and that was not freed is freed now, or prevents the
// launch.
CUresult free_before(Gpu& device, const GraphExec& exec) {
  for (const GraphStep& step : exec.steps) {
    const auto* alloc = std::get_if<AllocNode>(&step.node->work);
    const auto at = alloc == nullptr ? device.blocks.end() : device.blocks.find(alloc->asked.dptr);
    if (at == device.blocks.end()) continue;
    if ((exec.flags & CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH) == 0)
      return device.refuse(
          CUDA_ERROR_INVALID_VALUE,
          "A graph is launched again while memory of its last launch is not freed: free it, or "
          "instantiate with CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH.");
    release_block(device, at->first);
  }
  return CUDA_SUCCESS;
}

// One launch at a time: launches of one graph follow each other, and so do those on one stream.
std::recursive_mutex& launch_mutex() {
  static auto* made = new std::recursive_mutex;
  return *made;
}

class GraphLaunch {
  template <class F>
  auto locked(F f) {
    const std::scoped_lock lock(m_device.mutex);
    return f();
  }

 public:
  GraphLaunch(Gpu& device, Context& context, std::shared_ptr<GraphExec> exec, CUstream handle, Stream* stream)
      : m_device(device), m_context(context), m_exec(std::move(exec)), m_handle(handle), m_stream(stream) {}
  GraphLaunch(GraphLaunch&&) = delete;
  ~GraphLaunch() {
    locked([&] {
      if (find_exec(m_device, reinterpret_cast<CUgraphExec>(m_exec.get())) == nullptr)
        drop_streams(m_device, *m_exec);
      m_exec.reset();  // it may be the last one
    });
  }

  CUresult run() {
    if (const CUresult error = locked([&] { return begin(); }); error != CUDA_SUCCESS) return error;
    for (size_t i = 0; i < m_exec->steps.size(); ++i) {
      NodeWork work;
      if (!locked([&] { return before(i, work); })) return CUDA_SUCCESS;
      const CUresult error = kind_of(work).run(work, handle_of_branch(m_exec->steps[i].branch));
      if (error != CUDA_SUCCESS)
        return locked([&] { return m_context.pending != CUDA_SUCCESS; }) ? CUDA_SUCCESS : error;
      locked([&] {
        const Stream* branch_stream = branch(m_exec->steps[i].branch);
        record_order(m_device, branch_stream, m_after[i]);
        return m_ends[i] = clock().end_of(branch_stream);
      });
    }
    return locked([&] { return finish(); });
  }

 private:
  Stream* branch(uint32_t index) const {
    return index == 0 || index > m_exec->streams.size() ? m_stream : m_exec->streams[index - 1];
  }
  Clock& clock() const { return m_device.device_of(m_stream).clock; }
  CUstream handle_of_branch(uint32_t index) const {
    return branch(index) == m_stream ? m_handle : reinterpret_cast<CUstream>(branch(index));
  }

  CUresult begin() {
    if (const CUresult error = free_before(m_device, *m_exec); error != CUDA_SUCCESS) return error;
    make_streams(m_device, m_context, *m_exec);
    m_begin_us = clock().run(m_stream, 0, Engine::kernels).end_us;
    m_ends.assign(m_exec->steps.size(), m_begin_us);
    // A launch comes after what its stream was given, and after the last one of the same graph.
    order_after(m_device, m_stream, m_exec->last_launch);
    begin_operation(m_device, m_stream, streams::Operation::Kind::set, "cudaGraphLaunch");
    m_begin.recorded = true;
    m_exec->last_launch.recorded = true;
    record_order(m_device, m_stream, m_begin);
    m_after.assign(m_exec->steps.size(), m_begin);
    return CUDA_SUCCESS;
  }
  // False if a kernel before it ended with a fault, which ends the launch.
  bool before(size_t index, NodeWork& work) {
    if (m_context.pending != CUDA_SUCCESS || !m_context.alive.load()) return false;
    const GraphStep& step = m_exec->steps[index];
    double ready_us = m_begin_us;
    order_after(m_device, branch(step.branch), m_begin);
    for (const uint32_t earlier : step.after) {
      ready_us = std::max(ready_us, m_ends[earlier]);
      order_after(m_device, branch(step.branch), m_after[earlier]);
    }
    if (m_device.settings.modelled_clock) clock().wait(branch(step.branch), ready_us);
    // The nodes of a child graph are steps of their own.
    const bool runs = step.node->enabled && !std::holds_alternative<ChildNode>(step.node->work);
    work = runs ? step.node->work : NodeWork{EmptyNode{}};
    return true;
  }
  CUresult finish() {
    for (const Event& end : m_after) order_after(m_device, m_stream, end);
    record_order(m_device, m_stream, m_exec->last_launch);
    if (m_ends.empty() || !m_device.settings.modelled_clock) return CUDA_SUCCESS;
    clock().wait(m_stream, *std::ranges::max_element(m_ends));
    return CUDA_SUCCESS;
  }

  Gpu& m_device;
  Context& m_context;
  std::shared_ptr<GraphExec> m_exec;
  const CUstream m_handle;
  Stream* const m_stream;
  double m_begin_us = 0;
  std::vector<double> m_ends;  // of the steps, in the device's time
  Event m_begin;               // what comes before the launch
  std::vector<Event> m_after;  // and with each step
};

// The context is current while the nodes run.
struct CurrentContext {
  explicit CurrentContext(Context& context) { context_stack().push_back(&context); }
  ~CurrentContext() { context_stack().pop_back(); }
  CurrentContext(CurrentContext&&) = delete;
};

// f(Gpu&, Context&, Stream*, GraphExec&) → CUresult.
template <class F>
CUresult with_launch(CUgraphExec handle, CUstream stream_handle, F f) {
  return with_stream(
      Waits::gives_work, stream_handle, [&](Gpu& device, Context& context, Stream* stream) -> CUresult {
        GraphExec* exec = find_exec(device, handle);
        return exec == nullptr ? device.refuse(CUDA_ERROR_INVALID_VALUE,
                                               "This is no executable graph, or one that was destroyed.")
                               : f(device, stream == nullptr ? context : *stream->context, stream, *exec);
      });
}

}  // namespace

}  // namespace warplens::driver

using namespace warplens::driver;

extern "C" {

CUresult cuGraphInstantiateWithFlags(CUgraphExec* made, CUgraph graph, unsigned long long flags) {
  Failure failure;
  // The stream for an upload can be given only with parameters.
  if ((flags & CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD) != 0) return invalid_value();
  return instantiate(made, graph, flags, failure);
}

CUresult cuGraphInstantiateWithParams(CUgraphExec* made, CUgraph graph,
                                      CUDA_GRAPH_INSTANTIATE_PARAMS* parameters) {
  if (parameters == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Failure failure;
  CUresult code = instantiate(made, graph, parameters->flags, failure);
  if (code == CUDA_SUCCESS && (parameters->flags & CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD) != 0)
    code = cuGraphUpload(*made, parameters->hUploadStream);
  parameters->result_out = failure.result;
  parameters->hErrNode_out = failure.node;
  return code;
}

CUresult cuGraphInstantiate_v2(CUgraphExec* made, CUgraph graph, CUgraphNode* node, char* log, size_t bytes) {
  Failure failure;
  const CUresult code = instantiate(made, graph, 0, failure);
  if (node != nullptr) *node = failure.node;
  if (log != nullptr && bytes != 0) *log = '\0';
  return code;
}
CUresult cuGraphInstantiate(CUgraphExec* made, CUgraph graph, CUgraphNode* node, char* log, size_t bytes) {
  return cuGraphInstantiate_v2(made, graph, node, log, bytes);
}

CUresult cuGraphExecDestroy(CUgraphExec handle) {
  return ended(with_gpu([&](Gpu& device) -> CUresult {
    const auto at = device.graphs.execs.find(handle);
    if (at == device.graphs.execs.end()) return CUDA_ERROR_INVALID_VALUE;
    // Where a launch is under way, these go at its end.
    if (at->second.use_count() == 1) drop_streams(device, *at->second);
    device.graphs.execs.erase(at);
    return CUDA_SUCCESS;
  }));
}

CUresult cuGraphExecGetFlags(CUgraphExec handle, cuuint64_t* flags) {
  return with_gpu([&](Gpu& device) -> CUresult {
    const GraphExec* exec = find_exec(device, handle);
    if (exec == nullptr || flags == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *flags = exec->flags;
    return CUDA_SUCCESS;
  });
}

CUresult cuGraphNodeSetEnabled(CUgraphExec exec, CUgraphNode handle, unsigned enabled) {
  return with_exec_node(exec, handle, [&](Gpu&, GraphExec&, GraphNode& node) -> CUresult {
    if (!kind_of(node.work).can_be_disabled) return CUDA_ERROR_INVALID_VALUE;
    node.enabled = enabled != 0;
    return CUDA_SUCCESS;
  });
}
CUresult cuGraphNodeGetEnabled(CUgraphExec exec, CUgraphNode handle, unsigned* enabled) {
  return with_exec_node(exec, handle, [&](Gpu&, GraphExec&, GraphNode& node) -> CUresult {
    if (enabled == nullptr || !kind_of(node.work).can_be_disabled) return CUDA_ERROR_INVALID_VALUE;
    *enabled = node.enabled ? 1 : 0;
    return CUDA_SUCCESS;
  });
}

// The data that a launch needs is here already.
CUresult cuGraphUpload(CUgraphExec handle, CUstream stream) {
  return with_launch(handle, stream, [](Gpu&, Context&, Stream*, GraphExec&) { return CUDA_SUCCESS; });
}

// In a stream that is being captured this is CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED (measured on an H100).
CUresult cuGraphLaunch(CUgraphExec handle, CUstream stream_handle) {
  const HostCall here;
  std::function<CUresult()> run;
  const CUresult error = with_launch(
      handle, stream_handle, [&](Gpu& device, Context& context, Stream* stream, GraphExec&) -> CUresult {
        // Named, so that functions of a thread's own default stream mean the same.
        const CUstream named = is_legacy(stream)                        ? CU_STREAM_LEGACY
                               : device.streams.find(stream) != nullptr ? reinterpret_cast<CUstream>(stream)
                                                                        : CU_STREAM_PER_THREAD;
        run = [&context, launch = std::make_shared<GraphLaunch>(
                             device, context, device.graphs.execs.at(handle), named, stream)] {
          const std::scoped_lock one(launch_mutex());
          const CurrentContext current(context);
          return launch->run();
        };
        if (device.deferred.on && !performs_deferred())
          defer(device, context, stream, std::exchange(run, {}));
        return CUDA_SUCCESS;
      });
  return error != CUDA_SUCCESS || !run ? error : run();
}

}  // extern "C"
