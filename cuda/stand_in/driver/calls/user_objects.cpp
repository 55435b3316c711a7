// Objects of the program whose life a graph can prolong (CUDA C++ programming guide, CUDA User Objects).
#include <climits>

#include "cuda/stand_in/driver/calls/graphs.h"

using namespace warplens::driver;

namespace {

bool is_count(unsigned count) { return count != 0 && count <= INT_MAX; }

// The references that are the program's own, and no graph's.
uint64_t own_references(const Gpu& device, UserObject& object) {
  uint64_t own = object.references;
  for (const auto& [handle, graph] : device.graphs.all) {
    const auto held = graph->objects.find(&object);
    if (held != graph->objects.end()) own -= held->second;
  }
  return own;
}

// f(Gpu&, UserObject&) → CUresult.
template <class F>
CUresult with_object(CUuserObject handle, unsigned count, F f) {
  if (handle == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return with_gpu([&](Gpu& device) -> CUresult {
    UserObject* object = device.graphs.objects.find(handle);
    return object == nullptr || !is_count(count) ? CUDA_ERROR_INVALID_VALUE : f(device, *object);
  });
}

}  // namespace

extern "C" {

CUresult cuUserObjectCreate(CUuserObject* made, void* object, CUhostFn destroy, unsigned count,
                            unsigned flags) {
  if (made == nullptr || destroy == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return with_gpu([&](Gpu& device) -> CUresult {
    if (!is_count(count) || flags != CU_USER_OBJECT_NO_DESTRUCTOR_SYNC) return CUDA_ERROR_INVALID_VALUE;
    auto one = std::make_unique<UserObject>(UserObject{object, destroy, count});
    *made = reinterpret_cast<CUuserObject>(device.graphs.objects.add(std::move(one)));
    return CUDA_SUCCESS;
  });
}

CUresult cuUserObjectRetain(CUuserObject handle, unsigned count) {
  return with_object(handle, count, [&](Gpu&, UserObject& object) {
    object.references += count;
    return CUDA_SUCCESS;
  });
}

CUresult cuUserObjectRelease(CUuserObject handle, unsigned count) {
  return ended(with_object(handle, count, [&](Gpu& device, UserObject& object) -> CUresult {
    if (count > own_references(device, object)) return CUDA_ERROR_INVALID_VALUE;
    device.graphs.release(&object, count);
    return CUDA_SUCCESS;
  }));
}

CUresult cuGraphRetainUserObject(CUgraph graph_handle, CUuserObject handle, unsigned count, unsigned flags) {
  return with_object(handle, count, [&](Gpu& device, UserObject& object) -> CUresult {
    Graph* graph = find_in(device.graphs.all, graph_handle);
    if (graph == nullptr || (flags & ~unsigned{CU_GRAPH_USER_OBJECT_MOVE}) != 0)
      return CUDA_ERROR_INVALID_VALUE;
    if (flags != 0 && count > own_references(device, object)) return CUDA_ERROR_INVALID_VALUE;
    if (flags == 0) object.references += count;
    graph->objects[&object] += count;
    return CUDA_SUCCESS;
  });
}

CUresult cuGraphReleaseUserObject(CUgraph graph_handle, CUuserObject handle, unsigned count) {
  return ended(with_object(handle, count, [&](Gpu& device, UserObject& object) -> CUresult {
    Graph* graph = find_in(device.graphs.all, graph_handle);
    const auto held =
        graph == nullptr ? std::map<UserObject*, uint64_t>::iterator{} : graph->objects.find(&object);
    if (graph == nullptr || held == graph->objects.end() || held->second < count)
      return CUDA_ERROR_INVALID_VALUE;
    held->second -= count;
    if (held->second == 0) graph->objects.erase(held);
    device.graphs.release(&object, count);
    return CUDA_SUCCESS;
  }));
}

}  // extern "C"
