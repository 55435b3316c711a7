// Where the program begins, waits for the device, and ends contexts: what the device is done with is written.
#include "cuda/stand_in/relay/next.h"
#include "cuda/stand_in/relay/state/program.h"

using namespace warplens::relay;

namespace {

// Before the call that destroys it: its events can still be asked then.
void ends(CUcontext context) {
  Program* notes = program();
  if (notes == nullptr || context == nullptr) return;
  const std::scoped_lock lock(notes->mutex);
  notes->ends(context);
}

void primary_ends(CUdevice device) {
  if (program() == nullptr) return;
  CUcontext context = nullptr;
  unsigned flags = 0;
  int active = 0;
  // Only where it is there: to ask for it would make it.
  if (NEXT(cuDevicePrimaryCtxGetState)(device, &flags, &active) != CUDA_SUCCESS || active == 0) return;
  if (NEXT(cuDevicePrimaryCtxRetain)(&context, device) != CUDA_SUCCESS) return;
  ends(context);
  NEXT(cuDevicePrimaryCtxRelease_v2)(device);
}

CUresult waited(CUresult code) {
  return after(code, [](Program& notes) { notes.drain(); });
}

}  // namespace

extern "C" {

CUresult cuInit(unsigned flags) {
  const CUresult code = NEXT(cuInit)(flags);
  if (code == CUDA_SUCCESS) start_program();
  return code;
}

CUresult cuCtxSynchronize() { return waited(NEXT(cuCtxSynchronize)()); }
CUresult cuStreamSynchronize(CUstream stream) { return waited(NEXT(cuStreamSynchronize)(stream)); }
CUresult cuStreamSynchronize_ptsz(CUstream stream) {
  return waited(NEXT_LIKE(cuStreamSynchronize_ptsz, cuStreamSynchronize)(stream));
}
CUresult cuStreamQuery(CUstream stream) { return waited(NEXT(cuStreamQuery)(stream)); }
CUresult cuStreamQuery_ptsz(CUstream stream) {
  return waited(NEXT_LIKE(cuStreamQuery_ptsz, cuStreamQuery)(stream));
}
CUresult cuEventSynchronize(CUevent event) { return waited(NEXT(cuEventSynchronize)(event)); }
CUresult cuEventQuery(CUevent event) { return waited(NEXT(cuEventQuery)(event)); }

CUresult cuCtxDestroy_v2(CUcontext context) {
  ends(context);
  return ended(NEXT(cuCtxDestroy_v2)(context));
}
CUresult cuCtxDestroy(CUcontext context) {
  ends(context);
  return ended(NEXT(cuCtxDestroy)(context));
}
CUresult cuDevicePrimaryCtxReset_v2(CUdevice device) {
  primary_ends(device);
  return ended(NEXT(cuDevicePrimaryCtxReset_v2)(device));
}
CUresult cuDevicePrimaryCtxReset(CUdevice device) {
  primary_ends(device);
  return ended(NEXT(cuDevicePrimaryCtxReset)(device));
}
CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  primary_ends(device);
  return ended(NEXT(cuDevicePrimaryCtxRelease_v2)(device));
}
CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
  primary_ends(device);
  return ended(NEXT(cuDevicePrimaryCtxRelease)(device));
}

}  // extern "C"
