// Measures programs of other people: loaded before their libraries (LD_PRELOAD), it adds up the time of
// OpenMP's parallel regions, or of CUDA's launches, and appends the sums to the file that PUBLIC_CLOCK names.
// WarpLens runs a kernel before its launch returns.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double clock_ms(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

static struct { double wall_ms, processor_ms; } begun, sum;
static long calls;
static int depth;  // of regions in regions, also of other threads: only the outermost counts

static void begin(void) {
  if (__atomic_fetch_add(&depth, 1, __ATOMIC_SEQ_CST) != 0) return;
  begun.processor_ms = clock_ms(CLOCK_PROCESS_CPUTIME_ID);
  begun.wall_ms = clock_ms(CLOCK_MONOTONIC);
}

static void end(void) {
  if (__atomic_sub_fetch(&depth, 1, __ATOMIC_SEQ_CST) != 0) return;
  sum.wall_ms += clock_ms(CLOCK_MONOTONIC) - begun.wall_ms;
  sum.processor_ms += clock_ms(CLOCK_PROCESS_CPUTIME_ID) - begun.processor_ms;
  ++calls;
}

__attribute__((destructor)) static void tell(void) {
  const char* path = getenv("PUBLIC_CLOCK");
  FILE* file = calls == 0 || path == NULL ? NULL : fopen(path, "a");
  if (file == NULL) return;
  fprintf(file, "%.6f %.6f %ld\n", sum.wall_ms, sum.processor_ms, calls);
  fclose(file);
}

#define MEASURED(result, name, parameters, arguments)           \
  result name parameters {                                      \
    static result(*real) parameters;                            \
    if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, #name); \
    begin();                                                    \
    result code = real arguments;                               \
    end();                                                      \
    return code;                                                \
  }
#define MEASURED_REGION(name, parameters, arguments)            \
  void name parameters {                                        \
    static void(*real) parameters;                              \
    if (real == NULL) *(void**)&real = dlsym(RTLD_NEXT, #name); \
    begin();                                                    \
    real arguments;                                             \
    end();                                                      \
  }

// gcc, libgomp/libgomp_g.h.
typedef void (*Body)(void*);
MEASURED_REGION(GOMP_parallel, (Body body, void* data, unsigned threads, unsigned flags),
                (body, data, threads, flags))
MEASURED_REGION(GOMP_parallel_sections,
                (Body body, void* data, unsigned threads, unsigned count, unsigned flags),
                (body, data, threads, count, flags))
MEASURED(unsigned, GOMP_parallel_reductions, (Body body, void* data, unsigned threads, unsigned flags),
         (body, data, threads, flags))

#define LOOP(name)                                                                                        \
  MEASURED_REGION(name,                                                                                   \
                  (Body body, void* data, unsigned threads, long first, long last, long step, long chunk, \
                   unsigned flags),                                                                       \
                  (body, data, threads, first, last, step, chunk, flags))
LOOP(GOMP_parallel_loop_static)
LOOP(GOMP_parallel_loop_dynamic)
LOOP(GOMP_parallel_loop_guided)
LOOP(GOMP_parallel_loop_nonmonotonic_dynamic)
LOOP(GOMP_parallel_loop_nonmonotonic_guided)

#define RUNTIME_LOOP(name)                                                                               \
  MEASURED_REGION(                                                                                       \
      name, (Body body, void* data, unsigned threads, long first, long last, long step, unsigned flags), \
      (body, data, threads, first, last, step, flags))
RUNTIME_LOOP(GOMP_parallel_loop_runtime)
RUNTIME_LOOP(GOMP_parallel_loop_nonmonotonic_runtime)
RUNTIME_LOOP(GOMP_parallel_loop_maybe_nonmonotonic_runtime)

// CUDA: the second is what programs call that nvcc of CUDA 13 compiled.
typedef struct {
  unsigned x, y, z;
} Dim3;
#define LAUNCH(name)                                                                                   \
  MEASURED(int, name,                                                                                  \
           (const void* kernel, Dim3 grid, Dim3 block, void** arguments, size_t shared, void* stream), \
           (kernel, grid, block, arguments, shared, stream))
LAUNCH(cudaLaunchKernel)
LAUNCH(__cudaLaunchKernel)
