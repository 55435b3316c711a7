# libcuda.so.1: the virtual GPU as the driver of other programs (driver/). It needs only the headers of CUDA. It
# exports only CUDA's functions, and contains all libraries that it uses except the C library, since it is loaded into
# programs that have libraries of their own. Unused functions are left out: parts of libstdc++.a need a newer C
# library than the rest does.
pkg_check_modules(zstd IMPORTED_TARGET libzstd)
pkg_check_modules(lz4 IMPORTED_TARGET liblz4)
find_library(zstd_static NAMES libzstd.a)
find_library(lz4_static NAMES liblz4.a)
# libbacktrace is a part of GCC: it finds the source lines of a program that has debug information.
execute_process(COMMAND gcc -print-file-name=libbacktrace.a OUTPUT_VARIABLE backtrace_static
  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
cmake_path(GET backtrace_static PARENT_PATH backtrace_folder)
set(WARPLENS_READS_LINES 0)
if(EXISTS ${backtrace_folder}/include/backtrace.h)
  set(WARPLENS_READS_LINES 1)
endif()
set(WARPLENS_HAS_DRIVER 0)

# A library under the driver's name: it exports the API, and links archives without their own dependencies, since fmt
# is compiled in. ARGN: what the engine needs in addition.
function(warplens_driver_library target)
  target_include_directories(${target} SYSTEM PRIVATE ${WARPLENS_CUDA_INCLUDE_DIRS})
  target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/generated)
  target_link_libraries(${target} PRIVATE warplens_flags $<TARGET_FILE:warplens_engine> ${ARGN} $<TARGET_FILE:warplens_text>
    $<TARGET_FILE:warplens_compile> $<TARGET_FILE:warplens_system> $<TARGET_FILE:warplens_driver_assets> ${zstd_static}
    ${lz4_static} Threads::Threads ${CMAKE_DL_LIBS})
  add_dependencies(${target} warplens_engine warplens_compile warplens_system warplens_driver_assets)
  target_link_options(${target} PRIVATE -static-libstdc++ -static-libgcc -Wl,--exclude-libs,ALL -Wl,-z,nodelete
    -Wl,--gc-sections -Wl,-z,defs -Wl,--version-script=${CMAKE_SOURCE_DIR}/cuda/stand_in/driver/exports.map)
endfunction()

if(WARPLENS_HAS_CUDA AND zstd_static AND lz4_static AND WARPLENS_SYSTEM STREQUAL "posix"
   AND NOT WARPLENS_SANITIZE AND NOT WARPLENS_FUZZ)
  set(WARPLENS_HAS_DRIVER 1)
  set(driver_assets "")
  warplens_glob(driver_files assets/devices/*.json assets/timing/*.json)
  foreach(asset IN LISTS driver_files)
    string(REGEX REPLACE "^assets/" "" path ${asset})
    list(APPEND driver_assets "${path}|${CMAKE_SOURCE_DIR}/${asset}")
  endforeach()
  warplens_embed(warplens_driver_assets ${driver_assets})

  add_library(warplens_driver SHARED ${driver_sources})
  # In a library of their own: the first is part of fmt, the others declare CUDA's functions with types of their own.
  set_source_files_properties(cuda/stand_in/driver/fmt.cpp cuda/stand_in/driver/calls/refused_symbols.cpp cuda/stand_in/driver/calls/proc_address.cpp cuda/stand_in/relay/next.cpp
    cuda/stand_in/relay/calls/proc_address.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  set_target_properties(warplens_driver PROPERTIES OUTPUT_NAME cuda SOVERSION 1
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/driver LINK_DEPENDS ${CMAKE_SOURCE_DIR}/cuda/stand_in/driver/exports.map)
  warplens_driver_library(warplens_driver $<$<BOOL:${WARPLENS_HAS_TIER}>:${asmjit_static}>)

  # The other libcuda.so.1: a relay to NVIDIA's, for programs that run on a real GPU (relay/).
  add_library(warplens_relay SHARED ${relay_sources} cuda/stand_in/driver/api_rows.cpp cuda/stand_in/driver/fmt.cpp cuda/stand_in/driver/code/image.cpp
    cuda/stand_in/driver/code/merge_ptx.cpp cuda/stand_in/driver/state/host_place.cpp cuda/stand_in/driver/state/host_stack.cpp cuda/stand_in/driver/state/python_stack.cpp
    cuda/stand_in/driver/state/settings.cpp)
  set_target_properties(warplens_relay PROPERTIES OUTPUT_NAME cuda SOVERSION 1
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/relay LINK_DEPENDS ${CMAKE_SOURCE_DIR}/cuda/stand_in/driver/exports.map)
  warplens_driver_library(warplens_relay)
  warplens_quick(warplens_relay)
  if(WARPLENS_READS_LINES)
    foreach(library warplens_driver warplens_relay)
      target_compile_definitions(${library} PRIVATE WARPLENS_HAS_BACKTRACE)
      target_include_directories(${library} SYSTEM PRIVATE ${backtrace_folder}/include)
      target_link_libraries(${library} PRIVATE ${backtrace_static})
      target_link_options(${library} PRIVATE LINKER:--wrap=dl_iterate_phdr)  # cuda/stand_in/driver/state/host_stack.cpp
    endforeach()
  endif()

  # Empty libraries under the names of NVIDIA's linker (app/user_program/environment.cpp).
  file(WRITE ${CMAKE_BINARY_DIR}/generated/empty.c "int warplens_is_empty;\n")
  foreach(version 12 13)
    add_library(warplens_empty_${version} SHARED ${CMAKE_BINARY_DIR}/generated/empty.c)
    set_target_properties(warplens_empty_${version} PROPERTIES OUTPUT_NAME nvJitLink SUFFIX .so.${version} NO_SONAME ON
      UNITY_BUILD OFF LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/driver/empty)
    target_link_options(warplens_empty_${version} PRIVATE -Wl,-soname,libnvJitLink.so.${version})
  endforeach()
  # The linker under its names, where NVIDIA's own linker is installed and can compile LTO-IR to PTX.
  foreach(version 12 13)
    add_library(warplens_linker_${version} SHARED cuda/stand_in/driver/preload/jit_link.c)
    set_target_properties(warplens_linker_${version} PROPERTIES OUTPUT_NAME nvJitLink SUFFIX .so.${version} NO_SONAME ON
      UNITY_BUILD OFF LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/driver/linker)
    target_include_directories(warplens_linker_${version} PRIVATE ${CMAKE_SOURCE_DIR})
    target_compile_definitions(warplens_linker_${version} PRIVATE WARPLENS_LINKER="WARPLENS_NVJITLINK_${version}")
    target_link_options(warplens_linker_${version} PRIVATE -Wl,-soname,libnvJitLink.so.${version})
    target_link_libraries(warplens_linker_${version} PRIVATE ${CMAKE_DL_LIBS})
  endforeach()
  # Replaces a compiler that is called by its whole path (app/user_program/compiled_program.cpp).
  add_library(warplens_exec SHARED cuda/stand_in/driver/preload/exec_nvcc.c)
  set_target_properties(warplens_exec PROPERTIES UNITY_BUILD OFF LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/driver)
  target_link_libraries(warplens_exec PRIVATE ${CMAKE_DL_LIBS})
  install(TARGETS warplens_exec LIBRARY DESTINATION ${bundle_folder}/driver COMPONENT program)
  # In a folder that no loader searches, not even the program's own: the program looks for NVIDIA's driver under the
  # same name.
  install(TARGETS warplens_driver LIBRARY DESTINATION ${bundle_folder}/driver COMPONENT program NAMELINK_SKIP)
  install(TARGETS warplens_relay LIBRARY DESTINATION ${bundle_folder}/relay COMPONENT program NAMELINK_SKIP)
  install(TARGETS warplens_empty_12 warplens_empty_13 LIBRARY DESTINATION ${bundle_folder}/driver/empty
    COMPONENT program)
  install(TARGETS warplens_linker_12 warplens_linker_13 LIBRARY DESTINATION ${bundle_folder}/driver/linker
    COMPONENT program)
endif()
