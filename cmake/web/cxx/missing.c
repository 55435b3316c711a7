// What libc++ 22 and clang 22 expect, and Emscripten's C library of 2022 has not.
#include <errno.h>
#include <unistd.h>

// The tag of C++ exceptions.
__asm__(
    ".tagtype __cpp_exception i32\n"
    ".globl __cpp_exception\n"
    "__cpp_exception:\n");

// Without threads, the one that there is ends with the program. With them, LLVM's own one does it.
#ifndef __EMSCRIPTEN_PTHREADS__
int __cxa_atexit(void (*end)(void*), void* object, void* library);
int __cxa_thread_atexit(void (*end)(void*), void* object, void* library);
int __cxa_thread_atexit(void (*end)(void*), void* object, void* library) {
  return __cxa_atexit(end, object, library);
}
#endif

// libc++ then copies by reading and writing.
ssize_t copy_file_range(int from, off_t* at, int to, off_t* into, size_t bytes, unsigned flags) {
  (void)from, (void)at, (void)to, (void)into, (void)bytes, (void)flags;
  errno = ENOSYS;
  return -1;
}
