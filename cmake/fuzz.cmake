# Each tests/fuzz/*_fuzz.cpp defines LLVMFuzzerTestOneInput and becomes a program of its own.
warplens_glob(fuzz_sources tests/fuzz/*_fuzz.cpp)
foreach(source IN LISTS fuzz_sources)
  get_filename_component(name ${source} NAME_WE)
  add_executable(${name} ${source})
  target_link_libraries(${name} PRIVATE warplens_app warplens_flags)
  target_compile_definitions(${name} PRIVATE WARPLENS_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/fuzz)
endforeach()
# Shared with the tests.
target_sources(differential_fuzz PRIVATE ${CMAKE_SOURCE_DIR}/tests/core/exec/random_program.cpp)
