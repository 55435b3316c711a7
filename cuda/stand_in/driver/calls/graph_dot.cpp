// A graph as a file that graphviz draws.
#include <fmt/format.h>

#include <cstdio>
#include <unordered_map>

#include "cuda/stand_in/driver/calls/graphs.h"
#include "cuda/stand_in/driver/calls/modules.h"

namespace warplens::driver {

namespace {

// Flags that ask for the parameters of one kind of node.
unsigned flag_of(CUgraphNodeType type) {
  switch (type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
      return CU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_PARAMS;
    case CU_GRAPH_NODE_TYPE_MEMCPY:
      return CU_GRAPH_DEBUG_DOT_FLAGS_MEMCPY_NODE_PARAMS;
    case CU_GRAPH_NODE_TYPE_MEMSET:
      return CU_GRAPH_DEBUG_DOT_FLAGS_MEMSET_NODE_PARAMS;
    case CU_GRAPH_NODE_TYPE_HOST:
      return CU_GRAPH_DEBUG_DOT_FLAGS_HOST_NODE_PARAMS;
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
      return CU_GRAPH_DEBUG_DOT_FLAGS_EVENT_NODE_PARAMS;
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
      return CU_GRAPH_DEBUG_DOT_FLAGS_MEM_ALLOC_NODE_PARAMS;
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
      return CU_GRAPH_DEBUG_DOT_FLAGS_MEM_FREE_NODE_PARAMS;
    default:
      return 0;
  }
}

std::string quoted(const std::string& text) {
  std::string made;
  for (const char c : text) {
    if (c == '"' || c == '\\') made += '\\';
    made += c;
  }
  return made;
}

struct DotWriter {
  Gpu& device;
  unsigned flags;
  std::string text;
  uint32_t clusters = 0;

  bool asks(unsigned flag) const { return (flags & (flag | CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE)) != 0; }

  std::string label_of(const GraphNode& node, size_t index) const {
    const NodeKind& kind = kind_of(node.work);
    std::string label = fmt::format("{}\\n{}", index, kind.name);
    if (const auto* kernel = std::get_if<KernelNode>(&node.work)) {
      CUresult error = CUDA_SUCCESS;
      auto& context = const_cast<Context&>(*kernel->context);
      if (const Function* function = find_function(device, context, kernel->function, error))
        label += "\\n" + quoted(function->name);
    }
    if (asks(flag_of(kind.type))) label += "\\n" + quoted(kind.words(node.work));
    if (asks(CU_GRAPH_DEBUG_DOT_FLAGS_HANDLES))
      label += fmt::format("\\n{}", static_cast<const void*>(&node));
    return label;
  }

  void write(const Graph& graph, const std::string& begin) {
    const uint32_t number = clusters++;
    text +=
        begin + fmt::format(" cluster_{} {{\nlabel=\"graph_{}\" graph[style=\"dashed\"]\n", number, number);
    for (size_t i = 0; i < graph.nodes.size(); ++i) {
      const GraphNode& node = *graph.nodes[i];
      text += fmt::format("n{} [label=\"{}\" shape=\"box\"];\n", node.id, label_of(node, i));
      if (const auto* child = std::get_if<ChildNode>(&node.work)) write(*child->graph, "subgraph");
    }
    for (const auto& node : graph.nodes)
      for (const GraphEdge& edge : node->dependencies)
        text += fmt::format(
            "n{} -> n{}{};\n", edge.from->id, node->id,
            edge.data.from_port != 0 ? fmt::format(" [label=\"port {}\"]", edge.data.from_port) : "");
    text += "}\n";
  }
};

}  // namespace

}  // namespace warplens::driver

using namespace warplens::driver;

extern "C" CUresult cuGraphDebugDotPrint(CUgraph handle, const char* path, unsigned flags) {
  if (handle == nullptr || path == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return with_graph(handle, [&](Gpu& device, Graph& graph) -> CUresult {
    DotWriter writer{device, flags, "digraph dot {\n"};
    writer.write(graph, "subgraph");
    writer.text += "}\n";
    std::FILE* file = std::fopen(path, "w");
    const bool opened = file != nullptr;
    const bool written =
        opened && std::fwrite(writer.text.data(), 1, writer.text.size(), file) == writer.text.size();
    const bool closed = opened && std::fclose(file) == 0;
    return written && closed ? CUDA_SUCCESS
                             : device.refuse(CUDA_ERROR_OPERATING_SYSTEM,
                                             fmt::format("cuGraphDebugDotPrint cannot write {}.", path));
  });
}
