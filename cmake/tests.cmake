# Tests mirror the tree: tests/core and tests/app are one program each, every case of it a ctest test;
# tests/ui drives the window; tests/tools checks the repository itself. Labels: core app driver runtime cuda gpu ui tools.
find_package(GTest REQUIRED)
include(GoogleTest)

# Thirty-two files are compiled at once, like those of the program. Each has helpers whose names its neighbours use too, so a test
# file is in `namespace THIS_FILE`, which is a different one in each file.
function(warplens_compile_tests name)
  target_compile_options(${name} PRIVATE -O0)  # tests are compiled more often than they run for long
  set_target_properties(${name} PROPERTIES UNITY_BUILD_BATCH_SIZE 32)
  if(NOT WARPLENS_UNITY)
    target_compile_options(${name} PRIVATE -UTHIS_FILE -DTHIS_FILE=)  # an anonymous namespace
  endif()
  # What is looked at is the libraries' code. A test's own is compiled in less than half the time without.
  if(WARPLENS_SANITIZE MATCHES "address")
    target_compile_options(${name} PRIVATE -fno-sanitize=all)
  endif()
  if(WARPLENS_SANITIZE)
    target_compile_definitions(${name} PRIVATE WARPLENS_SANITIZED=1)
  endif()
endfunction()

function(warplens_test_program name)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE warplens_core warplens_assets warplens_test_paths warplens_flags GTest::gmock)
  warplens_compile_tests(${name})
  # Shared code of the tests (the slow reference, random programs) is optimised, since it runs long enough.
  set(shared ${ARGN})
  list(FILTER shared EXCLUDE REGEX "_test.cpp$")
  set_source_files_properties(${shared} PROPERTIES COMPILE_OPTIONS -O2)
  # The linker keeps the first copy of each template. The libraries come before the tests' own files, so that the
  # optimised copy is kept: tests run a third faster.
  get_property(libraries GLOBAL PROPERTY warplens_core_parts)
  list(TRANSFORM libraries REPLACE "(.+)" "$<TARGET_FILE:warplens_\\1>")
  target_link_options(${name} PRIVATE LINKER:--whole-archive ${libraries} LINKER:--no-whole-archive)
endfunction()

# The one file that sees CUDA's headers: it compares our occupancy with NVIDIA's own cuda_occupancy.h. With and without them the
# others are compiled alike, so a compiler cache serves a build without CUDA.
set_source_files_properties(tests/core/device/cuda_occupancy_test.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON
  COMPILE_OPTIONS "$<$<BOOL:${WARPLENS_CUDA_INCLUDE_DIRS}>:-isystem$<JOIN:${WARPLENS_CUDA_INCLUDE_DIRS},;-isystem>>")

# cuda: the real GPU's code on a fake driver. gpu: on the real driver; skipped, visibly, where there is none.
set(test_programs core app)
if(WARPLENS_HAS_CUDA)
  list(APPEND test_programs cuda gpu)
endif()
foreach(label IN LISTS test_programs)
  # In addition to the tests, files that several of them or a fuzz target share.
  set(folder ${label})
  if(label STREQUAL "cuda")
    set(folder cuda/device)
  endif()
  warplens_glob(sources tests/${folder}/*.cpp)
  if(sources)
    warplens_test_program(${label}_tests ${sources})
    target_link_libraries(${label}_tests PRIVATE GTest::gtest_main)  # which a main of their own replaces
    if(label STREQUAL "app")
      target_link_libraries(app_tests PRIVATE warplens_app)
    elseif(label MATCHES "cuda|gpu")
      target_link_libraries(${label}_tests PRIVATE warplens_cuda)
    endif()
    if(WARPLENS_SANITIZE)
      # A program under a sanitizer takes longer to start than most tests to run: so many tests share a process.
      foreach(part RANGE 31)
        add_test(NAME ${label}.part_${part} COMMAND ${label}_tests --gtest_brief=1)
        set_tests_properties(${label}.part_${part} PROPERTIES LABELS ${label} TIMEOUT 900
          ENVIRONMENT "GTEST_TOTAL_SHARDS=32;GTEST_SHARD_INDEX=${part}")
      endforeach()
    else()
      gtest_discover_tests(${label}_tests DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
                           PROPERTIES LABELS ${label} TIMEOUT 300)
    endif()
  endif()
endforeach()

# A sample of core's tests again, with every basic block compiled before its first warp (core/gpu/exec/jit):
# instruction results that were recorded on other machines or by other programs, and random programs.
# WARPLENS_TIER=always before ctest runs all tests in this way.
if(TARGET core_tests AND WARPLENS_HAS_TIER AND NOT WARPLENS_SANITIZE)
  string(JOIN ":" compiled_sample "PtxTruth*" "PtxCase.*" "WarpTruth*" "WarpCase.*" "RandomPrograms.*" "RandomKernels.*"
    "Faults.*" "Atomics.*" "Barriers.*" "Call.*" "CountersTruth.*" "MatrixTruth.*" "WmmaTruth.*")
  gtest_discover_tests(core_tests DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 TEST_PREFIX compiled.
    TEST_FILTER "${compiled_sample}" TEST_LIST compiled_test_list
    PROPERTIES LABELS core_compiled TIMEOUT 300 ENVIRONMENT WARPLENS_TIER=always)
endif()

# The driver for programs, loaded as they load it. Each case is a separate process. It needs only a part of core, and
# declares it, so it is built long before the rest.
warplens_glob(driver_test_sources tests/cuda/stand_in/driver/*.cpp)
if(TARGET warplens_driver AND driver_test_sources)
  add_executable(driver_tests ${driver_test_sources} cuda/stand_in/driver/code/image.cpp cuda/stand_in/driver/code/merge_ptx.cpp)
  warplens_compile_tests(driver_tests)
  set_source_files_properties(cuda/stand_in/driver/code/image.cpp cuda/stand_in/driver/code/merge_ptx.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  # The one file whose calls have line numbers.
  set_source_files_properties(tests/cuda/stand_in/driver/host_line_test.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON
    COMPILE_OPTIONS "-g;-UTHIS_FILE;-DTHIS_FILE=" COMPILE_DEFINITIONS WARPLENS_READS_LINES=${WARPLENS_READS_LINES})
  target_include_directories(driver_tests SYSTEM PRIVATE ${WARPLENS_CUDA_INCLUDE_DIRS})
  target_link_libraries(driver_tests PRIVATE warplens_recording warplens_test_paths warplens_flags GTest::gmock
    GTest::gtest_main ${zstd_static} ${lz4_static} ${CMAKE_DL_LIBS})
  add_dependencies(driver_tests warplens_driver)
  add_dependencies(app_tests warplens_driver)  # these tests run programs
  add_dependencies(driver_tests warplens_relay warplens_linker_13)
  # Replaces NVIDIA's linker.
  add_library(warplens_nvidia_linker SHARED tests/cuda/stand_in/driver/nvidia_linker.c)
  set_target_properties(warplens_nvidia_linker PROPERTIES UNITY_BUILD OFF LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
  add_dependencies(driver_tests warplens_nvidia_linker)
  gtest_discover_tests(driver_tests DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 TEST_FILTER -Relay.*
    PROPERTIES LABELS driver TIMEOUT 300)
  # All of them again on the relay to a real driver, and the relay's own tests. A real GPU chooses the order of its streams itself.
  gtest_discover_tests(driver_tests DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 TEST_PREFIX relay. TEST_FILTER -*StreamOrder*:DriverManagedPages.*
    TEST_LIST relay_test_list PROPERTIES LABELS driver TIMEOUT 300 ENVIRONMENT WARPLENS_TEST_DRIVER=relay)
endif()

# Programs in CUDA C++ that NVIDIA's compiler builds, on the virtual GPU; skipped, visibly, where there is no nvcc.
# The same programs run on a real GPU with NVIDIA's library (tests/cuda/stand_in/runtime/run.py).
find_program(python3 python3)
file(GLOB runtime_tests CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/tests/cuda/stand_in/runtime tests/cuda/stand_in/runtime/*.cu)
if(TARGET warplens_runtime_12)
  foreach(test IN LISTS runtime_tests ITEMS linked)
    get_filename_component(name ${test} NAME_WE)
    add_test(NAME runtime.${name}
      COMMAND ${python3} ${CMAKE_SOURCE_DIR}/tests/cuda/stand_in/runtime/run.py $<TARGET_FILE:warplens> ${test})
    set_tests_properties(runtime.${name} PROPERTIES LABELS runtime TIMEOUT 300 SKIP_RETURN_CODE 77)
  endforeach()
  # The same with clang and our own headers; not_by_clang.txt says which cannot be compiled in this way, and why.
  file(STRINGS tests/cuda/stand_in/runtime/not_by_clang.txt not_by_clang REGEX "^[^#]")
  list(TRANSFORM not_by_clang REPLACE " .*" "")
  foreach(test IN LISTS runtime_tests ITEMS linked)
    get_filename_component(name ${test} NAME_WE)
    if(NOT name IN_LIST not_by_clang)
      add_test(NAME runtime.clang.${name}
        COMMAND ${python3} ${CMAKE_SOURCE_DIR}/tests/cuda/stand_in/runtime/run.py $<TARGET_FILE:warplens> ${test} clang)
      set_tests_properties(runtime.clang.${name} PROPERTIES LABELS runtime TIMEOUT 300 SKIP_RETURN_CODE 77)
    endif()
  endforeach()
  # Our headers compared with NVIDIA's: values, layouts and signatures.
  list(GET WARPLENS_CUDA_INCLUDE_DIRS 0 nvidias_headers)
  add_test(NAME runtime.clang.headers COMMAND ${python3} ${CMAKE_SOURCE_DIR}/tests/cuda/stand_in/runtime/headers.py "${nvidias_headers}"
    ${CMAKE_BINARY_DIR}/libraries)
  set_tests_properties(runtime.clang.headers PROPERTIES LABELS runtime TIMEOUT 300 SKIP_RETURN_CODE 77)
  # Programs with cuBLAS and the other libraries, in the same ways.
  if(TARGET warplens_all_libraries)
    file(GLOB library_tests CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/tests/cuda/stand_in/libraries tests/cuda/stand_in/libraries/*.cu)
    foreach(test IN LISTS library_tests)
      get_filename_component(name ${test} NAME_WE)
      add_test(NAME libraries.${name}
        COMMAND ${python3} ${CMAKE_SOURCE_DIR}/tests/cuda/stand_in/runtime/run.py $<TARGET_FILE:warplens> ../libraries/${test})
      add_test(NAME libraries.clang.${name}
        COMMAND ${python3} ${CMAKE_SOURCE_DIR}/tests/cuda/stand_in/runtime/run.py $<TARGET_FILE:warplens> ../libraries/${test} clang)
      set_tests_properties(libraries.${name} libraries.clang.${name}
        PROPERTIES LABELS runtime TIMEOUT 300 SKIP_RETURN_CODE 77)
    endforeach()
    # On three devices, and in another order that the streams allow.
    foreach(name IN ITEMS nccl_collectives nccl_streams)
      add_test(NAME libraries.${name}_of_three
        COMMAND ${python3} ${CMAKE_SOURCE_DIR}/tests/cuda/stand_in/runtime/run.py $<TARGET_FILE:warplens> ../libraries/${name}.cu
          devices=3 stream-order=late)
      set_tests_properties(libraries.${name}_of_three PROPERTIES LABELS runtime TIMEOUT 300 SKIP_RETURN_CODE 77)
    endforeach()
    add_test(NAME libraries.notes COMMAND ${python3} ${CMAKE_SOURCE_DIR}/tests/cuda/stand_in/libraries/notes.py $<TARGET_FILE:warplens>)
    add_test(NAME libraries.by_name
      COMMAND ${python3} ${CMAKE_SOURCE_DIR}/tests/cuda/stand_in/libraries/by_name.py $<TARGET_FILE:warplens>)
    set_tests_properties(libraries.notes libraries.by_name PROPERTIES LABELS runtime TIMEOUT 300 SKIP_RETURN_CODE 77)
  endif()
  add_test(NAME tools.counts COMMAND ${python3} ${CMAKE_SOURCE_DIR}/tests/cuda/stand_in/counts.py)
  set_tests_properties(tools.counts PROPERTIES LABELS tools)
  # The messages for a beginner's mistakes, at the line of the host program.
  add_test(NAME runtime.mistakes
    COMMAND ${python3} ${CMAKE_SOURCE_DIR}/tests/cuda/stand_in/runtime/mistakes/mistakes.py $<TARGET_FILE:warplens>)
  add_test(NAME runtime.clang.mistakes
    COMMAND ${python3} ${CMAKE_SOURCE_DIR}/tests/cuda/stand_in/runtime/mistakes/mistakes.py $<TARGET_FILE:warplens> clang)
  add_test(NAME runtime.mistakes_programs
    COMMAND ${python3} ${CMAKE_SOURCE_DIR}/tests/cuda/stand_in/runtime/mistakes/programs.py $<TARGET_FILE:warplens>)
  # Programs that lack a wait, and the same with it.
  foreach(test IN ITEMS bugs clang.bugs numba.bugs)
    string(REGEX REPLACE "\\.?bugs" "" how ${test})
    add_test(NAME runtime.${test} COMMAND ${python3} ${CMAKE_SOURCE_DIR}/tests/bugs/bugs.py $<TARGET_FILE:warplens> ${how})
    set_tests_properties(runtime.${test} PROPERTIES LABELS runtime TIMEOUT 600 SKIP_RETURN_CODE 77)
  endforeach()
  # Options that a program needs, several files, and devices that nvcc no longer knows.
  add_test(NAME runtime.options
    COMMAND ${python3} ${CMAKE_SOURCE_DIR}/tests/cuda/stand_in/runtime/options/options.py $<TARGET_FILE:warplens>)
  add_test(NAME runtime.clang.options
    COMMAND ${python3} ${CMAKE_SOURCE_DIR}/tests/cuda/stand_in/runtime/options/options.py $<TARGET_FILE:warplens> clang)
  set_tests_properties(runtime.mistakes runtime.mistakes_programs runtime.clang.mistakes runtime.options runtime.clang.options
    PROPERTIES LABELS runtime TIMEOUT 300 SKIP_RETURN_CODE 77)
endif()

# The window on a real GPU: CUDA and OpenGL together. Skipped, visibly, where there is none. It runs before all other
# tests (COST), because a kernel that faults on purpose can leave a driver that cannot make a new OpenGL context
# (docs/limits.md).
warplens_glob(gl_sources tests/gl/*.cpp)
if(WARPLENS_WINDOW AND WARPLENS_HAS_CUDA AND gl_sources)
  warplens_test_program(gl_tests ${gl_sources} app/window/test_engine_stubs.cpp)
  target_link_libraries(gl_tests PRIVATE warplens_window warplens_cuda GTest::gtest_main)
  # These tests measure the times of frames.
  target_compile_options(gl_tests PRIVATE -O2)
  gtest_discover_tests(gl_tests DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
                       PROPERTIES LABELS gpu TIMEOUT 600 RUN_SERIAL ON COST 1000)
endif()

# The window's tests use the Dear ImGui test engine instead of the application's empty hooks. Each case is a process
# with its own screen (tests/ui/own_screen.h), so they run at the same time. Xvfb starts in a tenth of a second.
warplens_glob(ui_sources tests/ui/*.cpp)
if(WARPLENS_WINDOW AND ui_sources)
  warplens_test_program(ui_tests ${ui_sources})
  target_link_libraries(ui_tests PRIVATE warplens_window warplens_imgui::imgui_test_engine GTest::gtest)
  find_program(xvfb Xvfb REQUIRED)
  gtest_discover_tests(ui_tests DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 PROPERTIES LABELS ui TIMEOUT 600)
endif()

# The linker holds each library to what its CMakeLists.txt names: the whole of it, linked with that alone and with the embedded
# files, which a program brings, has every name that it uses.
if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT WARPLENS_SANITIZE AND NOT WARPLENS_FUZZ)
  get_property(libraries GLOBAL PROPERTY warplens_core_parts)
  list(APPEND libraries app_base user_program state classroom views worker cli cuda host widgets panels window)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/empty.cpp CONTENT "")
  foreach(library IN LISTS libraries)
    if(TARGET warplens_${library})
      add_library(alone_${library} MODULE ${CMAKE_BINARY_DIR}/generated/empty.cpp)
      target_link_libraries(alone_${library} PRIVATE $<LINK_LIBRARY:WHOLE_ARCHIVE,warplens_${library}> warplens_assets)
      if(library MATCHES "^(host|widgets|panels|window)$")
        target_sources(alone_${library} PRIVATE app/window/test_engine_stubs.cpp)
        target_link_libraries(alone_${library} PRIVATE warplens_imgui::imgui)
      endif()
      target_link_options(alone_${library} PRIVATE LINKER:-z,defs LINKER:--strip-all)
      set_target_properties(alone_${library} PROPERTIES UNITY_BUILD OFF LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/alone)
    endif()
  endforeach()
endif()

# A build configured without NVRTC does not look for the one that tools/setup installs.
set(looks_for_cuda 1)
if(WARPLENS_NVRTC_TOLD AND NOT WARPLENS_NVRTC)
  set(looks_for_cuda 0)
endif()

warplens_glob(tool_tests tests/tools/*_test.py tests/tools/*_test.sh)
foreach(test IN LISTS tool_tests)
  get_filename_component(name ${test} NAME_WE)
  string(REGEX REPLACE "_test$" "" name ${name})
  if(test MATCHES "py$")
    set(runner ${python3})
  else()
    set(runner bash)
  endif()
  add_test(NAME tools.${name} COMMAND ${runner} ${CMAKE_SOURCE_DIR}/${test} $<TARGET_FILE:warplens>
           WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  # The default device is the same on machines with a GPU.
  set_tests_properties(tools.${name} PROPERTIES LABELS tools TIMEOUT 600 SKIP_RETURN_CODE 77
    ENVIRONMENT "WARPLENS_CUDA_DRIVER=none;WARPLENS_LOOKS_FOR_CUDA=${looks_for_cuda}")
endforeach()

# The server of a class (app/python/warplens/serve); skipped, visibly, where its packages, bubblewrap or clang are missing.
warplens_glob(serve_tests tests/serve/*_test.py)
foreach(test IN LISTS serve_tests)
  get_filename_component(name ${test} NAME_WE)
  string(REGEX REPLACE "_test$" "" name ${name})
  add_test(NAME serve.${name} COMMAND ${python3} ${CMAKE_SOURCE_DIR}/${test} $<TARGET_FILE:warplens> WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(serve.${name} PROPERTIES LABELS tools TIMEOUT 300 SKIP_RETURN_CODE 77 ENVIRONMENT "WARPLENS_CUDA_DRIVER=none")
endforeach()

# The dependencies of a label's tests, as one target: tools/test -L core builds tests_core and no more.
function(warplens_tests_need label)
  add_custom_target(tests_${label})
  foreach(target IN LISTS ARGN)
    if(TARGET ${target})
      add_dependencies(tests_${label} ${target})
    endif()
  endforeach()
endfunction()
warplens_tests_need(core core_tests)
warplens_tests_need(core_compiled core_tests)
warplens_tests_need(app app_tests warplens warplens_for_programs)
warplens_tests_need(driver driver_tests)
warplens_tests_need(cuda cuda_tests)
warplens_tests_need(gpu gpu_tests gl_tests)
warplens_tests_need(ui ui_tests warplens warplens_for_programs)
warplens_tests_need(runtime warplens warplens_for_programs)
warplens_tests_need(tools warplens warplens_for_programs)
