find_package(benchmark REQUIRED)
find_package(OpenCL QUIET) # compares PoCL with the virtual GPU, where it is installed
warplens_glob(bench_sources tests/bench/*.cpp)
list(FILTER bench_sources EXCLUDE REGEX "^tests/bench/programs/") # each is a program
if(bench_sources)
  add_executable(warplens_bench EXCLUDE_FROM_ALL ${bench_sources})
  # Aligns loops: otherwise a loop's offset in a cache line is a matter of chance, which doubles the time of some.
  set_source_files_properties(tests/bench/scalar.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON
                              COMPILE_OPTIONS "-falign-functions=64;-falign-loops=64")
  target_link_libraries(warplens_bench PRIVATE warplens_app warplens_test_paths warplens_flags benchmark::benchmark)
  if(OpenCL_FOUND)
    target_link_libraries(warplens_bench PRIVATE OpenCL::OpenCL)
    target_compile_definitions(warplens_bench PRIVATE WARPLENS_BENCH_OPENCL)
  endif()
endif()
