// Streams, events, and functions of the host in their order.
#include "cuda/stand_in/runtime/calls/entry.h"

using namespace warplens::runtime;

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* made) {
  return call([&] { return cuStreamCreate(made, CU_STREAM_DEFAULT); });
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* made, unsigned flags) {
  return call([&] { return cuStreamCreate(made, flags); });
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* made, unsigned flags, int priority) {
  return call([&] { return cuStreamCreateWithPriority(made, flags, priority); });
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return call([&] { return cuStreamDestroy(stream); });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return call([&] { return cuStreamSynchronize(stream); });
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return call([&] { return cuStreamQuery(stream); });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  return call([&] { return cuStreamWaitEvent(stream, event, flags); });
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return call([&] { return cuStreamGetPriority(stream, priority); });
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
  return call([&] { return cuStreamGetFlags(stream, flags); });
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  return call([&] { return cuStreamGetId(stream, id); });
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
  return call([&] { return cuStreamGetDevice(stream, device); });
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void* data,
                                  unsigned flags) {
  // The two types differ in the enum of the code, whose numbers are the same.
  return call(
      [&] { return cuStreamAddCallback(stream, reinterpret_cast<CUstreamCallback>(function), data, flags); });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return call([&] { return cuStreamIsCapturing(stream, reinterpret_cast<CUstreamCaptureStatus*>(status)); });
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  return call(
      [&] { return cuThreadExchangeStreamCaptureMode(reinterpret_cast<CUstreamCaptureMode*>(mode)); });
}

static_assert(sizeof(cudaLaunchAttributeValue) == sizeof(CUstreamAttrValue));

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID which,
                                   const cudaLaunchAttributeValue* value) {
  return call([&] {
    return cuStreamSetAttribute(stream, static_cast<CUstreamAttrID>(which),
                                reinterpret_cast<const CUstreamAttrValue*>(value));
  });
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID which,
                                   cudaLaunchAttributeValue* value) {
  return call([&] {
    return cuStreamGetAttribute(stream, static_cast<CUstreamAttrID>(which),
                                reinterpret_cast<CUstreamAttrValue*>(value));
  });
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
  return call([&] { return cuStreamCopyAttributes(to, from); });
}

cudaError_t cudaEventCreate(cudaEvent_t* made) {
  return call([&] { return cuEventCreate(made, CU_EVENT_DEFAULT); });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* made, unsigned flags) {
  return call([&] { return cuEventCreate(made, flags); });
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return call([&] { return cuEventDestroy(event); });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return call([&] { return cuEventRecord(event, stream); });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  return call([&] { return cuEventRecordWithFlags(event, stream, flags); });
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return call([&] { return cuEventQuery(event); });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return call([&] { return cuEventSynchronize(event); });
}

cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t begin, cudaEvent_t end) {
  return call([&] { return cuEventElapsedTime(ms, begin, end); });
}

}  // extern "C"
