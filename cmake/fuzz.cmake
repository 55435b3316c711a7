# Each tests/fuzz/*_fuzz.cpp defines LLVMFuzzerTestOneInput and becomes a separate program. `fuzz_targets` builds them
# all, and nothing else.
add_custom_target(fuzz_targets)
warplens_glob(fuzz_sources tests/fuzz/*_fuzz.cpp)
# The code for programs' images (cuda/stand_in/driver/code) is compiled into these targets, since the driver itself is not built
# here.
if(NOT zstd_static OR NOT lz4_static)
  list(FILTER fuzz_sources EXCLUDE REGEX "/program_code_fuzz.cpp$")
endif()
foreach(source IN LISTS fuzz_sources)
  get_filename_component(name ${source} NAME_WE)
  add_executable(${name} ${source})
  add_dependencies(fuzz_targets ${name})
  target_link_libraries(${name} PRIVATE warplens_core warplens_assets warplens_test_paths warplens_flags)
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/fuzz)
endforeach()
# Shared with the tests.
target_sources(differential_fuzz PRIVATE ${CMAKE_SOURCE_DIR}/tests/core/gpu/exec/random_program.cpp)
warplens_glob(reference_sources tests/core/reference/*.cpp)
list(FILTER reference_sources EXCLUDE REGEX "_test.cpp$")
target_sources(kernel_differential_fuzz PRIVATE ${reference_sources})
if(TARGET program_code_fuzz)
  target_sources(program_code_fuzz PRIVATE ${CMAKE_SOURCE_DIR}/cuda/stand_in/driver/code/image.cpp)
  target_link_libraries(program_code_fuzz PRIVATE ${zstd_static} ${lz4_static})
endif()
target_link_libraries(drafts_fuzz PRIVATE warplens_state)
target_link_libraries(debug_message_fuzz PRIVATE warplens_debug)
target_sources(merge_ptx_fuzz PRIVATE ${CMAKE_SOURCE_DIR}/cuda/stand_in/driver/code/merge_ptx.cpp)
foreach(part nvcc_words nvcc_plan clang_options clang_plan)
  target_sources(nvcc_command_fuzz PRIVATE ${CMAKE_SOURCE_DIR}/app/user_program/${part}.cpp)
endforeach()
target_sources(program_text_fuzz PRIVATE ${CMAKE_SOURCE_DIR}/app/user_program/words.cpp
               ${CMAKE_SOURCE_DIR}/app/user_program/output_tail.cpp)
