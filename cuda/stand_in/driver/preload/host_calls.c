// Loaded before all other libraries into the processes of a program (LD_PRELOAD). Pages of the host that work of the
// device may still use are guarded (state/host_guards.h). An instruction that uses them faults, is looked at and goes
// on; a system call would fail with EFAULT. So what a program gives to a system call is touched first, if it is
// guarded. In processes without the driver, each call is handed on.
#define _GNU_SOURCE
#include "cuda/stand_in/driver/preload/host_calls.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

// This file defines functions that headers declare with attributes of their own.
#pragma GCC diagnostic ignored "-Wnonnull-compare"

#define EXPORTED __attribute__((visibility("default")))

static const struct WarpLensHostCalls* watcher;

EXPORTED void warplens_watch_host_calls(const struct WarpLensHostCalls* calls) {
  __atomic_store_n(&watcher, calls, __ATOMIC_RELEASE);
}

static const struct WarpLensHostCalls* watching(void) { return __atomic_load_n(&watcher, __ATOMIC_ACQUIRE); }

enum Use { call_reads, call_writes };

// Each touch faults once, which opens the page.
static void touch(const void* memory, size_t bytes, enum Use use) {
  const struct WarpLensHostCalls* calls = watching();
  if (calls == NULL || memory == NULL || bytes == 0) return;
  const uintptr_t begin = (uintptr_t)memory;
  uintptr_t end = 0, at = 0;
  if (__builtin_add_overflow(begin, bytes, &end)) return;
  while ((at = calls->guarded(begin, end, use == call_writes)) != 0) {
    if (use == call_writes)
      (void)__atomic_fetch_or((volatile char*)at, 0, __ATOMIC_RELAXED);
    else
      (void)*(const volatile char*)at;
  }
}

static void touch_items(const void* memory, size_t size, size_t count, enum Use use) {
  size_t bytes = 0;
  if (!__builtin_mul_overflow(size, count, &bytes)) touch(memory, bytes, use);
}

static void touch_parts(const struct iovec* parts, size_t count, enum Use use) {
  if (watching() == NULL || parts == NULL) return;
  for (size_t i = 0; i < count; ++i) touch(parts[i].iov_base, parts[i].iov_len, use);
}

static void touch_message(const struct msghdr* message, enum Use use) {
  if (message != NULL) touch_parts(message->msg_iov, message->msg_iovlen, use);
}

// WRAP(result, name, (parameters), (arguments), what is done first): a function of the C library that does that first.
// A function that the C library lacks has no caller. In brackets, since a header may have a macro of that name.
#define WRAP(result, name, parameters, arguments, first)                                 \
  EXPORTED result(name) parameters {                                                      \
    typedef result(*Real) parameters;                                                    \
    static Real real;                                                                    \
    Real found = __atomic_load_n(&real, __ATOMIC_RELAXED);                               \
    if (found == NULL) {                                                                 \
      found = (Real)dlsym(RTLD_NEXT, #name);                                             \
      __atomic_store_n(&real, found, __ATOMIC_RELAXED);                                  \
    }                                                                                    \
    first;                                                                               \
    return found arguments;                                                              \
  }

// Into memory.
WRAP(ssize_t, read, (int file, void* to, size_t bytes), (file, to, bytes), touch(to, bytes, call_writes))
WRAP(ssize_t, __read_chk, (int file, void* to, size_t bytes, size_t room), (file, to, bytes, room),
     touch(to, bytes, call_writes))
WRAP(ssize_t, pread, (int file, void* to, size_t bytes, off_t at), (file, to, bytes, at), touch(to, bytes, call_writes))
WRAP(ssize_t, pread64, (int file, void* to, size_t bytes, off64_t at), (file, to, bytes, at),
     touch(to, bytes, call_writes))
WRAP(ssize_t, readv, (int file, const struct iovec* to, int count), (file, to, count),
     touch_parts(to, count > 0 ? (size_t)count : 0, call_writes))
WRAP(ssize_t, preadv, (int file, const struct iovec* to, int count, off_t at), (file, to, count, at),
     touch_parts(to, count > 0 ? (size_t)count : 0, call_writes))
WRAP(ssize_t, recv, (int socket, void* to, size_t bytes, int flags), (socket, to, bytes, flags),
     touch(to, bytes, call_writes))
WRAP(ssize_t, recvfrom,
     (int socket, void* to, size_t bytes, int flags, struct sockaddr* sender, socklen_t* length),
     (socket, to, bytes, flags, sender, length), touch(to, bytes, call_writes))
WRAP(ssize_t, recvmsg, (int socket, struct msghdr* message, int flags), (socket, message, flags),
     touch_message(message, call_writes))
WRAP(size_t, fread, (void* to, size_t size, size_t count, FILE* file), (to, size, count, file),
     touch_items(to, size, count, call_writes))
WRAP(size_t, fread_unlocked, (void* to, size_t size, size_t count, FILE* file), (to, size, count, file),
     touch_items(to, size, count, call_writes))
WRAP(size_t, __fread_chk, (void* to, size_t room, size_t size, size_t count, FILE* file), (to, room, size, count, file),
     touch_items(to, size, count, call_writes))

// From memory.
WRAP(ssize_t, write, (int file, const void* from, size_t bytes), (file, from, bytes), touch(from, bytes, call_reads))
WRAP(ssize_t, pwrite, (int file, const void* from, size_t bytes, off_t at), (file, from, bytes, at),
     touch(from, bytes, call_reads))
WRAP(ssize_t, pwrite64, (int file, const void* from, size_t bytes, off64_t at), (file, from, bytes, at),
     touch(from, bytes, call_reads))
WRAP(ssize_t, writev, (int file, const struct iovec* from, int count), (file, from, count),
     touch_parts(from, count > 0 ? (size_t)count : 0, call_reads))
WRAP(ssize_t, pwritev, (int file, const struct iovec* from, int count, off_t at), (file, from, count, at),
     touch_parts(from, count > 0 ? (size_t)count : 0, call_reads))
WRAP(ssize_t, send, (int socket, const void* from, size_t bytes, int flags), (socket, from, bytes, flags),
     touch(from, bytes, call_reads))
WRAP(ssize_t, sendto,
     (int socket, const void* from, size_t bytes, int flags, const struct sockaddr* receiver, socklen_t length),
     (socket, from, bytes, flags, receiver, length), touch(from, bytes, call_reads))
WRAP(ssize_t, sendmsg, (int socket, const struct msghdr* message, int flags), (socket, message, flags),
     touch_message(message, call_reads))
WRAP(size_t, fwrite, (const void* from, size_t size, size_t count, FILE* file), (from, size, count, file),
     touch_items(from, size, count, call_reads))
WRAP(size_t, fwrite_unlocked, (const void* from, size_t size, size_t count, FILE* file), (from, size, count, file),
     touch_items(from, size, count, call_reads))

static void tell_of_handler(int number) {
  const struct WarpLensHostCalls* calls = watching();
  if (calls != NULL) calls->handles(number);
}

WRAP(int, sigaction, (int number, const struct sigaction* handler, struct sigaction* before), (number, handler, before),
     if (handler != NULL) tell_of_handler(number))
WRAP(__sighandler_t, signal, (int number, __sighandler_t handler), (number, handler), tell_of_handler(number))

static void tell_of_protection(const void* memory, size_t bytes) {
  const struct WarpLensHostCalls* calls = watching();
  if (calls != NULL) calls->protects((uintptr_t)memory, (uintptr_t)memory + bytes);
}

WRAP(int, mprotect, (void* memory, size_t bytes, int allowed), (memory, bytes, allowed),
     tell_of_protection(memory, bytes))
