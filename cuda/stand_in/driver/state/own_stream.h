// Each thread's own default stream: what CU_STREAM_PER_THREAD names, and in functions whose names end in
// _ptds or _ptsz also 0 and no stream at all (CUDA Driver API, "Stream synchronization behavior").
#pragma once

namespace warplens::driver {

// Whether this thread is in such a function.
inline thread_local bool zero_is_own_stream = false;

// call, as such a function.
template <auto call>
struct WithOwnStream;
template <class R, class... A, R (*call)(A...)>
struct WithOwnStream<call> {
  static R entry(A... a) {
    struct Within {
      Within() { zero_is_own_stream = true; }
      ~Within() { zero_is_own_stream = false; }
    } const within;
    return call(a...);
  }
};

}  // namespace warplens::driver
