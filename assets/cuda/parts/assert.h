// assert() for device code: its expression is a part of the fault's message. Host code gets the assert() of
// the host's own library.
#undef assert
#if !defined(__CUDA_ARCH__) && __has_include_next(<assert.h>)
#include_next <assert.h>
#elif defined(NDEBUG)
#define assert(condition) ((void)(0))
#else
#define assert(condition) \
  ((condition) ? (void)(0) : __assertfail(#condition, __FILE__, __LINE__, __PRETTY_FUNCTION__, sizeof(char)))
#endif
