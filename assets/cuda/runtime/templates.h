// The C++ part of the runtime API: memory and symbols by their types. CUDA Runtime API, "C++ API Routines".
#pragma once

// ---- memory by the type of its pointer
#define WARPLENS_POINTER(NAME, PARAMETERS, ...)        \
  template <class T>                                   \
  static WARPLENS_UNSEEN cudaError_t NAME PARAMETERS { \
    return NAME(__VA_ARGS__);                          \
  }
WARPLENS_POINTER(cudaMalloc, (T * *at, size_t bytes), (void**)(at), bytes)
WARPLENS_POINTER(cudaMallocManaged, (T * *at, size_t bytes, unsigned int flags = cudaMemAttachGlobal),
                 (void**)(at), bytes, flags)
WARPLENS_POINTER(cudaHostAlloc, (T * *at, size_t bytes, unsigned int flags), (void**)(at), bytes, flags)
WARPLENS_POINTER(cudaHostGetDevicePointer, (T * *device, void* host, unsigned int flags), (void**)(device),
                 host, flags)
WARPLENS_POINTER(cudaMallocPitch, (T * *at, size_t* pitch, size_t width, size_t height), (void**)(at), pitch,
                 width, height)
WARPLENS_POINTER(cudaMallocAsync, (T * *at, size_t bytes, cudaStream_t stream), (void**)(at), bytes, stream)
WARPLENS_POINTER(cudaMallocFromPoolAsync, (T * *at, size_t bytes, cudaMemPool_t pool, cudaStream_t stream),
                 (void**)(at), bytes, pool, stream)
WARPLENS_POINTER(cudaStreamAttachMemAsync,
                 (cudaStream_t stream, T* at, size_t bytes = 0, unsigned int flags = cudaMemAttachSingle),
                 stream, (void*)(at), bytes, flags)
WARPLENS_POINTER(cudaGetDriverEntryPoint,
                 (const char* name, T** function, unsigned long long flags,
                  cudaDriverEntryPointQueryResult* status = 0),
                 name, (void**)(function), flags, status)
#undef WARPLENS_POINTER
static WARPLENS_UNSEEN cudaError_t cudaMallocHost(void** at, size_t bytes, unsigned int flags) {
  return cudaHostAlloc(at, bytes, flags);
}
template <class T>
static WARPLENS_UNSEEN cudaError_t cudaMallocHost(T** at, size_t bytes, unsigned int flags = 0) {
  return cudaHostAlloc((void**)(at), bytes, flags);
}
static WARPLENS_UNSEEN cudaError_t cudaMallocAsync(void** at, size_t bytes, cudaMemPool_t pool,
                                                   cudaStream_t stream) {
  return cudaMallocFromPoolAsync(at, bytes, pool, stream);
}
template <class T>
static WARPLENS_UNSEEN cudaError_t cudaMallocAsync(T** at, size_t bytes, cudaMemPool_t pool,
                                                   cudaStream_t stream) {
  return cudaMallocFromPoolAsync((void**)(at), bytes, pool, stream);
}

// ---- variables of the device by their names
#define WARPLENS_SYMBOL(NAME, PARAMETERS, ...)         \
  template <class T>                                   \
  static WARPLENS_UNSEEN cudaError_t NAME PARAMETERS { \
    return NAME(__VA_ARGS__);                          \
  }
WARPLENS_SYMBOL(cudaGetSymbolAddress, (void** at, const T& symbol), at, (const void*)(&symbol))
WARPLENS_SYMBOL(cudaGetSymbolSize, (size_t * bytes, const T& symbol), bytes, (const void*)(&symbol))
WARPLENS_SYMBOL(cudaMemcpyToSymbol,
                (const T& symbol, const void* from, size_t bytes, size_t offset = 0,
                 cudaMemcpyKind kind = cudaMemcpyHostToDevice),
                (const void*)(&symbol), from, bytes, offset, kind)
WARPLENS_SYMBOL(cudaMemcpyToSymbolAsync,
                (const T& symbol, const void* from, size_t bytes, size_t offset = 0,
                 cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0),
                (const void*)(&symbol), from, bytes, offset, kind, stream)
WARPLENS_SYMBOL(cudaMemcpyFromSymbol,
                (void* to, const T& symbol, size_t bytes, size_t offset = 0,
                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost),
                to, (const void*)(&symbol), bytes, offset, kind)
WARPLENS_SYMBOL(cudaMemcpyFromSymbolAsync,
                (void* to, const T& symbol, size_t bytes, size_t offset = 0,
                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0),
                to, (const void*)(&symbol), bytes, offset, kind, stream)
WARPLENS_SYMBOL(cudaGraphAddMemcpyNodeToSymbol,
                (cudaGraphNode_t * made, cudaGraph_t graph, const cudaGraphNode_t* dependencies, size_t count,
                 const T& symbol, const void* from, size_t bytes, size_t offset, cudaMemcpyKind kind),
                made, graph, dependencies, count, (const void*)(&symbol), from, bytes, offset, kind)
WARPLENS_SYMBOL(cudaGraphAddMemcpyNodeFromSymbol,
                (cudaGraphNode_t * made, cudaGraph_t graph, const cudaGraphNode_t* dependencies, size_t count,
                 void* to, const T& symbol, size_t bytes, size_t offset, cudaMemcpyKind kind),
                made, graph, dependencies, count, to, (const void*)(&symbol), bytes, offset, kind)
WARPLENS_SYMBOL(cudaGraphMemcpyNodeSetParamsToSymbol,
                (cudaGraphNode_t node, const T& symbol, const void* from, size_t bytes, size_t offset,
                 cudaMemcpyKind kind),
                node, (const void*)(&symbol), from, bytes, offset, kind)
WARPLENS_SYMBOL(cudaGraphMemcpyNodeSetParamsFromSymbol,
                (cudaGraphNode_t node, void* to, const T& symbol, size_t bytes, size_t offset,
                 cudaMemcpyKind kind),
                node, to, (const void*)(&symbol), bytes, offset, kind)
WARPLENS_SYMBOL(cudaGraphExecMemcpyNodeSetParamsToSymbol,
                (cudaGraphExec_t exec, cudaGraphNode_t node, const T& symbol, const void* from, size_t bytes,
                 size_t offset, cudaMemcpyKind kind),
                exec, node, (const void*)(&symbol), from, bytes, offset, kind)
WARPLENS_SYMBOL(cudaGraphExecMemcpyNodeSetParamsFromSymbol,
                (cudaGraphExec_t exec, cudaGraphNode_t node, void* to, const T& symbol, size_t bytes,
                 size_t offset, cudaMemcpyKind kind),
                exec, node, to, (const void*)(&symbol), bytes, offset, kind)
#undef WARPLENS_SYMBOL

// ---- structures
static WARPLENS_UNSEEN cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
  return {width, height, depth};
}
static WARPLENS_UNSEEN cudaPos make_cudaPos(size_t x, size_t y, size_t z) { return {x, y, z}; }
static WARPLENS_UNSEEN cudaPitchedPtr make_cudaPitchedPtr(void* at, size_t pitch, size_t width,
                                                          size_t height) {
  return {at, pitch, width, height};
}

// cudaCreateChannelDesc<T>(): the channels of an element.
template <class T>
struct warplens_texel_format;
#define WARPLENS_ELEMENT(TYPE, CHANNELS, BITS, KIND)                                           \
  template <>                                                                                  \
  struct warplens_texel_format<TYPE> {                                                         \
    static cudaChannelFormatDesc description() {                                               \
      return {BITS, CHANNELS > 1 ? BITS : 0, CHANNELS > 2 ? BITS : 0, CHANNELS > 3 ? BITS : 0, \
              cudaChannelFormatKind##KIND};                                                    \
    }                                                                                          \
  };
#define WARPLENS_ELEMENTS(NAME, TYPE, KIND)                 \
  WARPLENS_ELEMENT(TYPE, 1, int(8 * sizeof(TYPE)), KIND)    \
  WARPLENS_ELEMENT(NAME##1, 1, int(8 * sizeof(TYPE)), KIND) \
  WARPLENS_ELEMENT(NAME##2, 2, int(8 * sizeof(TYPE)), KIND) \
  WARPLENS_ELEMENT(NAME##4, 4, int(8 * sizeof(TYPE)), KIND)
WARPLENS_ELEMENT(char, 1, 8, Signed)
WARPLENS_ELEMENTS(char, signed char, Signed)
WARPLENS_ELEMENTS(uchar, unsigned char, Unsigned)
WARPLENS_ELEMENTS(short, short, Signed)
WARPLENS_ELEMENTS(ushort, unsigned short, Unsigned)
WARPLENS_ELEMENTS(int, int, Signed)
WARPLENS_ELEMENTS(uint, unsigned int, Unsigned)
WARPLENS_ELEMENTS(float, float, Float)
#undef WARPLENS_ELEMENTS
#undef WARPLENS_ELEMENT
template <class T>
static WARPLENS_UNSEEN cudaChannelFormatDesc cudaCreateChannelDesc() {
  return warplens_texel_format<T>::description();
}
static WARPLENS_UNSEEN cudaChannelFormatDesc cudaCreateChannelDescHalf() {
  return {16, 0, 0, 0, cudaChannelFormatKindFloat};
}
