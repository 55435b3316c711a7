# libcudart.so.12 and libcudart.so.13: CUDA's runtime library for programs, which uses libcuda.so.1 (driver/). Both
# are built from runtime/, with NVIDIA's symbol versions, and need only the headers of CUDA.
set(WARPLENS_HAS_RUNTIME 0)
if(WARPLENS_HAS_DRIVER)
  set(WARPLENS_HAS_RUNTIME 1)
  warplens_glob(runtime_sources cuda/stand_in/runtime/*.cpp)
  # In a library of its own: it declares CUDA's functions with types of its own.
  set_source_files_properties(cuda/stand_in/runtime/calls/refused_symbols.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  foreach(major 12 13)
    set(target warplens_runtime_${major})
    set(exports ${CMAKE_SOURCE_DIR}/cuda/stand_in/runtime/exports${major}.map)
    add_library(${target} SHARED ${runtime_sources})
    set_target_properties(${target} PROPERTIES OUTPUT_NAME cudart SUFFIX .so.${major} NO_SONAME ON
      LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/runtime LINK_DEPENDS ${exports})
    target_compile_definitions(${target} PRIVATE WARPLENS_CUDART_MAJOR=${major})
    target_compile_options(${target} PRIVATE -Wno-deprecated-declarations)  # old calls call old calls
    target_include_directories(${target} SYSTEM PRIVATE ${WARPLENS_CUDA_INCLUDE_DIRS})
    target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR})
    target_link_libraries(${target} PRIVATE warplens_flags warplens_driver)
    target_link_options(${target} PRIVATE -static-libstdc++ -static-libgcc -Wl,--exclude-libs,ALL -Wl,-z,nodelete
      -Wl,-z,defs -Wl,-soname,libcudart.so.${major} -Wl,--version-script=${exports})
    # The launcher decides which driver a program finds.
    set_target_properties(${target} PROPERTIES SKIP_BUILD_RPATH ON)
    # In a folder that no loader searches, like the driver's.
    install(TARGETS ${target} LIBRARY DESTINATION ${bundle_folder}/runtime COMPONENT program)
  endforeach()
endif()
