// For the packages' own libexpat, which is Debian's archive with this function in it: Debian 12 builds expat for glibc 2.36,
// and only because of this function.
#include <stddef.h>
#include <stdlib.h>
#include <sys/random.h>

__attribute__((visibility("hidden"))) void arc4random_buf(void* to, size_t bytes) {
  char* at = to;
  while (bytes > 0) {
    const ssize_t got = getrandom(at, bytes, 0);
    if (got < 0) {
      continue;  // a signal came first
    }
    at += got;
    bytes -= (size_t)got;
  }
}
