#include "cuda/stand_in/driver/calls/graph_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/base/figures.h"
#include "cuda/stand_in/driver/calls/entry.h"
#include "cuda/stand_in/driver/calls/graph_memory.h"
#include "cuda/stand_in/driver/calls/launch.h"
#include "cuda/stand_in/driver/calls/library.h"
#include "cuda/stand_in/driver/calls/modules.h"

namespace warplens::driver {

namespace {

// ---- kernels

bool is_cooperative(const KernelNode& node) {
  const auto at = node.attributes.find(CU_LAUNCH_ATTRIBUTE_COOPERATIVE);
  return at != node.attributes.end() && at->second.cooperative != 0;
}

CUresult make(Gpu& device, const NodePlace& place, CUgraphNodeParams& asked, KernelNode& node) {
  const CUDA_KERNEL_NODE_PARAMS_v3& k = asked.kernel;
  Context* context = &place.context;
  if (k.ctx != nullptr) {
    const auto at = std::ranges::find_if(
        device.contexts, [&](const auto& one) { return reinterpret_cast<CUcontext>(one.get()) == k.ctx; });
    if (at == device.contexts.end() || !(*at)->alive.load()) return CUDA_ERROR_INVALID_CONTEXT;
    context = at->get();
  }
  return make_kernel(device, *context, k.func != nullptr ? static_cast<const void*>(k.func) : k.kern, k,
                     node);
}

void describe(KernelNode& node, CUgraphNodeParams& told) {
  auto& k = told.kernel;
  k.func = static_cast<CUfunction>(const_cast<void*>(node.function));
  k.gridDimX = node.grid.x;
  k.gridDimY = node.grid.y;
  k.gridDimZ = node.grid.z;
  k.blockDimX = node.block.x;
  k.blockDimY = node.block.y;
  k.blockDimZ = node.block.z;
  k.sharedMemBytes = node.shared_bytes;
  node.pointers.clear();
  for (const auto offset : node.program->parameter_offsets)
    node.pointers.push_back(node.parameters.data() + offset);
  k.kernelParams = node.pointers.empty() ? nullptr : node.pointers.data();
  k.ctx = reinterpret_cast<CUcontext>(const_cast<Context*>(node.context));
}

// Whether the handle still names the same node.
CUresult same_function(const KernelNode& node) {
  return with_context(Waits::no, [&](Gpu& device, Context& context) -> CUresult {
    CUresult error = CUDA_SUCCESS;
    const Function* function = find_function(device, context, node.function, error);
    if (function == nullptr) return error;
    return function->program == node.program ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
  });
}

CUresult run(const KernelNode& node, CUstream stream) {
  if (const CUresult error = same_function(node); error != CUDA_SUCCESS) return error;
  std::vector<CUlaunchAttribute> attributes;
  for (const auto& [id, value] : node.attributes) {
    CUlaunchAttribute& one = attributes.emplace_back();
    one.id = id;
    one.value = value;
  }
  CUlaunchConfig config{};
  config.gridDimX = node.grid.x;
  config.gridDimY = node.grid.y;
  config.gridDimZ = node.grid.z;
  config.blockDimX = node.block.x;
  config.blockDimY = node.block.y;
  config.blockDimZ = node.block.z;
  config.sharedMemBytes = node.shared_bytes;
  config.hStream = stream;
  config.attrs = attributes.data();
  config.numAttrs = static_cast<unsigned>(attributes.size());
  size_t bytes = node.parameters.size();
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, const_cast<std::byte*>(node.parameters.data()),
                   CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
  return cuLaunchKernelEx(&config, static_cast<CUfunction>(const_cast<void*>(node.function)), nullptr,
                          bytes == 0 ? nullptr : extra);
}

CUgraphExecUpdateResult may_become(Gpu&, const KernelNode& now, const KernelNode& next) {
  if (now.context != next.context) return CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE;
  return is_cooperative(now) == is_cooperative(next) ? CU_GRAPH_EXEC_UPDATE_SUCCESS
                                                     : CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED;
}

std::string words(const KernelNode& node) {
  return fmt::format("{} x {} x {} blocks of {} x {} x {}, {} bytes shared", node.grid.x, node.grid.y,
                     node.grid.z, node.block.x, node.block.y, node.block.z, node.shared_bytes);
}

// ---- copies

bool is_side(CUmemorytype type, const void* host, CUdeviceptr address, CUarray array) {
  switch (type) {
    case CU_MEMORYTYPE_HOST:
      return host != nullptr;
    case CU_MEMORYTYPE_DEVICE:
    case CU_MEMORYTYPE_UNIFIED:
      return address != 0;
    case CU_MEMORYTYPE_ARRAY:
      return array != nullptr;
    default:
      return false;
  }
}

uint64_t first_byte_of(CUmemorytype type, const void* host, CUdeviceptr address, size_t x) {
  return (type == CU_MEMORYTYPE_HOST ? reinterpret_cast<uintptr_t>(host) : address) + x;
}
uint64_t source_of(const CUDA_MEMCPY3D& c) {
  return first_byte_of(c.srcMemoryType, c.srcHost, c.srcDevice, c.srcXInBytes);
}
uint64_t target_of(const CUDA_MEMCPY3D& c) {
  return first_byte_of(c.dstMemoryType, c.dstHost, c.dstDevice, c.dstXInBytes);
}

CUresult make(Gpu&, const NodePlace& place, CUgraphNodeParams& asked, CopyNode& node) {
  const CUDA_MEMCPY3D& c = asked.memcpy.copyParams;
  if (asked.memcpy.flags != 0 || !is_side(c.srcMemoryType, c.srcHost, c.srcDevice, c.srcArray) ||
      !is_side(c.dstMemoryType, c.dstHost, c.dstDevice, c.dstArray))
    return CUDA_ERROR_INVALID_VALUE;
  node.copy = c;
  if (asked.memcpy.copyCtx != nullptr) node.context = asked.memcpy.copyCtx;
  if (node.context == nullptr) node.context = reinterpret_cast<CUcontext>(&place.context);
  return CUDA_SUCCESS;
}

void describe(CopyNode& node, CUgraphNodeParams& told) {
  told.memcpy.copyParams = node.copy;
  told.memcpy.copyCtx = node.context;
}

// Rows as the calls that copy rows: the recording tells then what was copied before.
CUresult run(const CopyNode& node, CUstream stream) {
  const CUDA_MEMCPY3D& c = node.copy;
  if (!is_row(c)) return cuMemcpy3DAsync_v2(&c, stream);
  const uint64_t to = target_of(c), from = source_of(c);
  if (c.srcMemoryType == CU_MEMORYTYPE_HOST && c.dstMemoryType == CU_MEMORYTYPE_DEVICE)
    return cuMemcpyHtoDAsync_v2(to, reinterpret_cast<const void*>(from), c.WidthInBytes, stream);
  if (c.srcMemoryType == CU_MEMORYTYPE_DEVICE && c.dstMemoryType == CU_MEMORYTYPE_HOST)
    return cuMemcpyDtoHAsync_v2(reinterpret_cast<void*>(to), from, c.WidthInBytes, stream);
  if (c.srcMemoryType == CU_MEMORYTYPE_DEVICE && c.dstMemoryType == CU_MEMORYTYPE_DEVICE)
    return cuMemcpyDtoDAsync_v2(to, from, c.WidthInBytes, stream);
  return cuMemcpyAsync(to, from, c.WidthInBytes, stream);
}

// Which kind of memory a side is in: host, device or array.
CUmemorytype kind_of_side(Gpu& device, CUmemorytype type, CUdeviceptr address) {
  if (type != CU_MEMORYTYPE_UNIFIED) return type;
  const Block* block = device.block_of(address);
  return block == nullptr || block->kind == Block::Kind::pinned || block->kind == Block::Kind::registered
             ? CU_MEMORYTYPE_HOST
             : CU_MEMORYTYPE_DEVICE;
}

CUgraphExecUpdateResult may_become(Gpu& device, const CopyNode& now, const CopyNode& next) {
  const auto sides = [&](const CUDA_MEMCPY3D& c) {
    return std::pair(kind_of_side(device, c.srcMemoryType, c.srcDevice),
                     kind_of_side(device, c.dstMemoryType, c.dstDevice));
  };
  const bool fits =
      sides(now.copy) == sides(next.copy) && now.context == next.context &&
      (is_row(now.copy) ? is_row(next.copy) && next.copy.WidthInBytes != 0
                        : now.copy.WidthInBytes == next.copy.WidthInBytes &&
                              now.copy.Height == next.copy.Height && now.copy.Depth == next.copy.Depth);
  return fits ? CU_GRAPH_EXEC_UPDATE_SUCCESS : CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED;
}

std::string words(const CopyNode& node) {
  const auto side = [](CUmemorytype type) {
    return type == CU_MEMORYTYPE_HOST     ? "host"
           : type == CU_MEMORYTYPE_ARRAY  ? "array"
           : type == CU_MEMORYTYPE_DEVICE ? "device"
                                          : "memory";
  };
  return fmt::format("{} to {}, {} x {} x {} bytes", side(node.copy.srcMemoryType),
                     side(node.copy.dstMemoryType), node.copy.WidthInBytes, node.copy.Height,
                     node.copy.Depth);
}

// ---- memsets

CUresult make(Gpu&, const NodePlace& place, CUgraphNodeParams& asked, SetNode& node) {
  CUDA_MEMSET_NODE_PARAMS_v2 s = asked.memset;
  const bool is_size = s.elementSize == 1 || s.elementSize == 2 || s.elementSize == 4;
  if (!is_size || s.dst == 0 || s.dst % s.elementSize != 0 || s.width == 0 || s.height == 0 ||
      (s.elementSize < 4 && s.value >> (8 * s.elementSize) != 0))
    return CUDA_ERROR_INVALID_VALUE;
  if (s.height > 1 && (s.width > SIZE_MAX / s.elementSize || s.pitch < s.width * s.elementSize))
    return CUDA_ERROR_INVALID_VALUE;
  if (s.ctx == nullptr)
    s.ctx = node.set.ctx != nullptr ? node.set.ctx : reinterpret_cast<CUcontext>(&place.context);
  node.set = s;
  return CUDA_SUCCESS;
}

void describe(SetNode& node, CUgraphNodeParams& told) { told.memset = node.set; }

CUresult run(const SetNode& node, CUstream stream) {
  const auto& s = node.set;
  if (s.elementSize == 1)
    return cuMemsetD2D8Async(s.dst, s.pitch, static_cast<unsigned char>(s.value), s.width, s.height, stream);
  if (s.elementSize == 2)
    return cuMemsetD2D16Async(s.dst, s.pitch, static_cast<unsigned short>(s.value), s.width, s.height,
                              stream);
  return cuMemsetD2D32Async(s.dst, s.pitch, s.value, s.width, s.height, stream);
}

CUgraphExecUpdateResult may_become(Gpu&, const SetNode& now, const SetNode& next) {
  const auto &a = now.set, &b = next.set;
  const bool same_rows = a.width == b.width && a.elementSize == b.elementSize && a.pitch == b.pitch;
  const bool fits = a.ctx == b.ctx && a.height == b.height && (a.height == 1 || same_rows);
  return fits ? CU_GRAPH_EXEC_UPDATE_SUCCESS : CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED;
}

std::string words(const SetNode& node) {
  return fmt::format("{} x {} elements of {} bytes to {}", node.set.width, node.set.height,
                     node.set.elementSize, node.set.value);
}

// ---- functions of the host, child graphs, and nodes that do nothing

CUresult make(Gpu&, const NodePlace&, CUgraphNodeParams& asked, HostNode& node) {
  if (asked.host.fn == nullptr) return CUDA_ERROR_INVALID_VALUE;
  node = {asked.host.fn, asked.host.userData, nullptr};
  return CUDA_SUCCESS;
}
void describe(HostNode& node, CUgraphNodeParams& told) { told.host = {node.function, node.data}; }
CUresult run(const HostNode& node, CUstream stream) {
  if (node.library != nullptr) return run_library(node.library, stream);
  node.function(node.data);
  return CUDA_SUCCESS;
}
std::string words(const HostNode& node) {
  return node.library != nullptr ? std::string(node.library->name) : "a function of the host";
}

CUresult make(Gpu& device, const NodePlace& place, CUgraphNodeParams& asked, ChildNode& node) {
  const auto known = device.graphs.all.find(asked.graph.graph);
  if (known == device.graphs.all.end() || known->second == &place.graph) return CUDA_ERROR_INVALID_VALUE;
  const bool moves = asked.graph.ownership == CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE;
  const auto own = device.graphs.own.find(asked.graph.graph);
  if (moves && own == device.graphs.own.end()) return CUDA_ERROR_INVALID_VALUE;
  if (!moves && has_memory_nodes(*known->second))
    return device.refuse(CUDA_ERROR_NOT_SUPPORTED,
                         "A graph with memory nodes becomes a child graph only where its ownership is moved: "
                         "cuGraphAddNode with CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE.");
  node.ownership = asked.graph.ownership;
  if (moves) {
    node.graph = own->second;
    device.graphs.own.erase(own);
  } else {
    node.graph = copy_of(*known->second);
  }
  node.graph->is_child = true;
  return CUDA_SUCCESS;
}
void describe(ChildNode& node, CUgraphNodeParams& told) {
  told.graph = {reinterpret_cast<CUgraph>(node.graph.get()), node.ownership};
}
CUresult run(const ChildNode&, CUstream) { return CUDA_SUCCESS; }  // its nodes are steps before it
std::string words(const ChildNode& node) { return fmt::format("{} nodes", node.graph->nodes.size()); }

CUresult make(Gpu&, const NodePlace&, CUgraphNodeParams&, EmptyNode&) { return CUDA_SUCCESS; }
void describe(EmptyNode&, CUgraphNodeParams&) {}
CUresult run(const EmptyNode&, CUstream) { return CUDA_SUCCESS; }
std::string words(const EmptyNode&) { return {}; }

// ---- events

CUresult find_event(Gpu& device, CUevent handle, CUevent& to) {
  if (device.events.find(handle) == nullptr) return CUDA_ERROR_INVALID_VALUE;
  to = handle;
  return CUDA_SUCCESS;
}

CUresult make(Gpu& device, const NodePlace&, CUgraphNodeParams& asked, WaitNode& node) {
  return find_event(device, asked.eventWait.event, node.event);
}
void describe(WaitNode& node, CUgraphNodeParams& told) { told.eventWait.event = node.event; }
CUresult run(const WaitNode& node, CUstream stream) { return cuStreamWaitEvent(stream, node.event, 0); }
std::string words(const WaitNode& node) {
  return fmt::format("event {}", static_cast<const void*>(node.event));
}

CUresult make(Gpu& device, const NodePlace&, CUgraphNodeParams& asked, RecordNode& node) {
  return find_event(device, asked.eventRecord.event, node.event);
}
void describe(RecordNode& node, CUgraphNodeParams& told) { told.eventRecord.event = node.event; }
CUresult run(const RecordNode& node, CUstream stream) { return cuEventRecord(node.event, stream); }
std::string words(const RecordNode& node) {
  return fmt::format("event {}", static_cast<const void*>(node.event));
}

// ---- memory

CUresult make(Gpu& device, const NodePlace& place, CUgraphNodeParams& asked, AllocNode& node) {
  CUDA_MEM_ALLOC_NODE_PARAMS_v2& a = asked.alloc;
  const CUmemPoolProps& pool = a.poolProps;
  if (a.bytesize == 0 || pool.allocType != CU_MEM_ALLOCATION_TYPE_PINNED ||
      pool.handleTypes != CU_MEM_HANDLE_TYPE_NONE || pool.location.type != CU_MEM_LOCATION_TYPE_DEVICE ||
      pool.location.id != 0 || (a.accessDescs == nullptr && a.accessDescCount != 0) || a.accessDescCount > 1)
    return CUDA_ERROR_INVALID_VALUE;
  a.dptr = address_for(device, place.graph, place.after, a.bytesize);
  if (a.dptr == 0) return CUDA_ERROR_OUT_OF_MEMORY;
  node.asked = a;
  if (a.accessDescCount != 0) node.access.assign(a.accessDescs, a.accessDescs + a.accessDescCount);
  return CUDA_SUCCESS;
}
void describe(AllocNode& node, CUgraphNodeParams& told) {
  told.alloc = node.asked;
  told.alloc.accessDescs = node.access.empty() ? nullptr : node.access.data();
}
CUresult run(const AllocNode& node, CUstream) {
  return with_context(Waits::gives_work,
                      [&](Gpu& device, Context& context) { return run_alloc(device, context, node); });
}
CUgraphExecUpdateResult may_become(Gpu&, const AllocNode& now, const AllocNode& next) {
  return now.asked.dptr == next.asked.dptr && now.asked.bytesize == next.asked.bytesize
             ? CU_GRAPH_EXEC_UPDATE_SUCCESS
             : CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED;
}
std::string words(const AllocNode& node) {
  return fmt::format("{} at 0x{:x}", byte_size_text(node.asked.bytesize), node.asked.dptr);
}

CUresult make(Gpu& device, const NodePlace& place, CUgraphNodeParams& asked, FreeNode& node) {
  node.address = asked.free.dptr;
  return may_free(device, place.graph, node.address);
}
void describe(FreeNode& node, CUgraphNodeParams& told) { told.free.dptr = node.address; }
CUresult run(const FreeNode& node, CUstream) {
  return with_context(Waits::gives_work, [&](Gpu& device, Context&) { return run_free(device, node); });
}
CUgraphExecUpdateResult may_become(Gpu&, const FreeNode& now, const FreeNode& next) {
  return now.address == next.address ? CU_GRAPH_EXEC_UPDATE_SUCCESS
                                     : CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED;
}
std::string words(const FreeNode& node) { return fmt::format("0x{:x}", node.address); }

// ---- the table

// Nodes of the other kinds may become anything of theirs.
template <class Work>
CUgraphExecUpdateResult may_become(Gpu&, const Work&, const Work&) {
  return CU_GRAPH_EXEC_UPDATE_SUCCESS;
}

template <class Work>
constexpr NodeKind row(const char* name, bool can_be_disabled = false) {
  return {Work::type,
          name,
          can_be_disabled,
          [](Gpu& device, const NodePlace& place, CUgraphNodeParams& asked, NodeWork& work) {
            if (!std::holds_alternative<Work>(work)) work.emplace<Work>();
            return make(device, place, asked, std::get<Work>(work));
          },
          [](NodeWork& work, CUgraphNodeParams& told) { describe(std::get<Work>(work), told); },
          [](const NodeWork& work, CUstream stream) { return run(std::get<Work>(work), stream); },
          [](Gpu& device, const NodeWork& now, const NodeWork& next) {
            return may_become(device, std::get<Work>(now), std::get<Work>(next));
          },
          [](const NodeWork& work) { return words(std::get<Work>(work)); }};
}

constexpr NodeKind kinds[] = {row<KernelNode>("KERNEL", true), row<CopyNode>("MEMCPY", true),
                              row<SetNode>("MEMSET", true),    row<HostNode>("HOST"),
                              row<ChildNode>("GRAPH"),         row<EmptyNode>("EMPTY"),
                              row<WaitNode>("EVENT_WAIT"),     row<RecordNode>("EVENT_RECORD"),
                              row<AllocNode>("MEM_ALLOC"),     row<FreeNode>("MEM_FREE")};

}  // namespace

CUresult make_kernel(Gpu& device, Context& context, const void* function, const CUDA_KERNEL_NODE_PARAMS_v3& k,
                     KernelNode& node) {
  CUresult error = CUDA_SUCCESS;
  if (function == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Function* found = find_function(device, context, function, error);
  if (found == nullptr) return error;
  const Shape shape{{k.gridDimX, k.gridDimY, k.gridDimZ},
                    {k.blockDimX, k.blockDimY, k.blockDimZ},
                    k.sharedMemBytes,
                    is_cooperative(node)};
  error = check_shape(device, *found, shape);
  std::vector<std::byte> parameters;
  if (error == CUDA_SUCCESS) error = gather(*found, k.kernelParams, k.extra, parameters);
  if (error != CUDA_SUCCESS) return error;
  node.function = function;
  node.context = &context;
  node.program = found->program;
  node.grid = shape.grid;
  node.block = shape.block;
  node.shared_bytes = shape.shared_bytes;
  node.parameters = std::move(parameters);
  return CUDA_SUCCESS;
}

bool is_node_attribute(CUlaunchAttributeID id) {
  switch (id) {
    case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
    case CU_LAUNCH_ATTRIBUTE_COOPERATIVE:
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
    case CU_LAUNCH_ATTRIBUTE_PRIORITY:
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
    case CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      return true;
    default:
      return false;
  }
}

CUDA_MEMCPY3D row_copy(CUmemorytype to_type, uint64_t to, CUmemorytype from_type, uint64_t from,
                       size_t bytes) {
  CUDA_MEMCPY3D copy{};
  copy.dstMemoryType = to_type;
  copy.dstHost = reinterpret_cast<void*>(to);
  copy.dstDevice = to;
  copy.srcMemoryType = from_type;
  copy.srcHost = reinterpret_cast<const void*>(from);
  copy.srcDevice = from;
  copy.WidthInBytes = bytes;
  copy.Height = copy.Depth = 1;
  return copy;
}

bool is_row(const CUDA_MEMCPY3D& c) {
  return c.srcMemoryType != CU_MEMORYTYPE_ARRAY && c.dstMemoryType != CU_MEMORYTYPE_ARRAY && c.Height <= 1 &&
         c.Depth <= 1 && c.srcY == 0 && c.srcZ == 0 && c.dstY == 0 && c.dstZ == 0;
}

const NodeKind* find_kind(CUgraphNodeType type) {
  const auto* at = std::ranges::find(kinds, type, &NodeKind::type);
  return at == std::end(kinds) ? nullptr : at;
}

CUgraphNodeType type_of(const NodeWork& work) {
  return std::visit([](const auto& one) { return one.type; }, work);
}

const NodeKind& kind_of(const NodeWork& work) { return *find_kind(type_of(work)); }

}  // namespace warplens::driver
