// assert(), as the device has it: what it is given stands in the message of the fault. Code of the host gets
// its own.
#undef assert
#if !defined(__CUDA_ARCH__) && __has_include_next(<assert.h>)
#include_next <assert.h>
#elif defined(NDEBUG)
#define assert(condition) ((void)(0))
#else
#define assert(condition) \
  ((condition) ? (void)(0) : __assertfail(#condition, __FILE__, __LINE__, __PRETTY_FUNCTION__, sizeof(char)))
#endif
