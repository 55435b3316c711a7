#include "cuda/stand_in/libraries/nccl/exchange.h"

namespace warplens::nccl {

namespace {

struct Event {
  Event() { cuEventCreate(&handle, CU_EVENT_DISABLE_TIMING); }
  ~Event() { cuEventDestroy(handle); }
  Event(const Event&) = delete;
  CUevent handle = nullptr;
};

CUresult meet(const std::vector<Member>& members) {
  std::vector<std::unique_ptr<Event>> events;
  CUresult error = CUDA_SUCCESS;
  for (const Member& one : members) {
    const OnDevice here(*one.comm);
    events.push_back(std::make_unique<Event>());
    error = error != CUDA_SUCCESS ? error : cuEventRecord(events.back()->handle, one.stream);
  }
  for (const Member& one : members) {
    const OnDevice here(*one.comm);
    for (size_t i = 0; i < members.size(); ++i)
      if (&members[i] != &one && error == CUDA_SUCCESS)
        error = cuStreamWaitEvent(one.stream, events[i]->handle, 0);
  }
  return error;
}

CUresult give_half(const Member& member, bool second) {
  const OnDevice here(*member.comm);
  warplens_exchange moved = member.moved;
  moved.continues = second ? 1 : 0;
  const auto give = [&moved](CUstream stream, const warplens_library_work* work) {
    return warplens_run_exchange(stream, work, &moved);
  };
  return libraries::run_by(give, member.stream, member.call, second ? member.write : member.read);
}

}  // namespace

CUresult run_exchange(const std::vector<Member>& members) {
  CUresult error = CUDA_SUCCESS;
  for (const bool second : {false, true}) {
    const CUresult met = meet(members);
    error = error != CUDA_SUCCESS ? error : met;
    for (const Member& one : members) {
      if (met != CUDA_SUCCESS) break;
      const CUresult given = give_half(one, second);
      error = error != CUDA_SUCCESS ? error : given;
    }
  }
  return error;
}

}  // namespace warplens::nccl
