# Libraries for programs on the virtual GPU, under NVIDIA's names and with its symbol versions, which use libcuda.so.1
# (driver/): cuBLAS and cuRAND, computed on the CPU, and others in which every function is refused.
set(WARPLENS_HAS_LIBRARIES 0)
find_package(Eigen3 3.3 QUIET NO_MODULE)

# warplens_library(NAME VERSION TABLE SOURCES…): lib<NAME>.so.<VERSION>, as target warplens_<NAME>_<VERSION>.
function(warplens_library name version table)
  set(target warplens_${name}_${version})
  set(exports ${CMAKE_BINARY_DIR}/generated/${name}${version}.map)
  file(CONFIGURE OUTPUT ${exports} CONTENT "lib${name}.so.${version} {\n  global: ${name}[A-Z]*;\n  local: *;\n};\n")
  add_library(${target} SHARED cuda/stand_in/libraries/shared/work.cpp cuda/stand_in/libraries/shared/refused.cpp cuda/stand_in/libraries/shared/refused_symbols.cpp
    ${ARGN})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} SUFFIX .so.${version} NO_SONAME ON UNITY_BUILD OFF
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/libraries LINK_DEPENDS ${exports} SKIP_BUILD_RPATH ON)
  target_compile_definitions(${target} PRIVATE WARPLENS_LIBRARY_TABLE="${table}")
  target_include_directories(${target} SYSTEM PRIVATE ${WARPLENS_CUDA_INCLUDE_DIRS})
  target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR})
  target_link_libraries(${target} PRIVATE warplens_flags warplens_driver)
  target_link_options(${target} PRIVATE -static-libstdc++ -static-libgcc -Wl,--exclude-libs,ALL -Wl,-z,nodelete -Wl,-z,defs
    -Wl,--gc-sections -Wl,-soname,lib${name}.so.${version} -Wl,--version-script=${exports})
  install(TARGETS ${target} LIBRARY DESTINATION ${bundle_folder}/libraries COMPONENT program)
  set_property(GLOBAL APPEND PROPERTY warplens_libraries ${target})
endfunction()

# warplens_refused_library(NAME VERSION TABLE TITLE CODE INSTEAD): CODE is the library's error code for "not
# supported".
function(warplens_refused_library name version table title code instead)
  warplens_library(${name} ${version} cuda/stand_in/libraries/refused/${table}.def cuda/stand_in/libraries/refused/library.cpp)
  target_compile_definitions(warplens_${name}_${version} PRIVATE WARPLENS_LIBRARY_NAME="${title}"
    WARPLENS_LIBRARY_CODE=${code} WARPLENS_LIBRARY_INSTEAD="${instead}")
endfunction()

if(WARPLENS_HAS_DRIVER AND TARGET Eigen3::Eigen)
  set(WARPLENS_HAS_LIBRARIES 1)
  # Compiled once for both major versions.
  warplens_glob(blas_sources cuda/stand_in/libraries/blas/*.cpp)
  list(REMOVE_ITEM blas_sources cuda/stand_in/libraries/blas/version.cpp)
  add_library(warplens_blas OBJECT ${blas_sources})
  set_source_files_properties(cuda/stand_in/libraries/blas/product.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  get_target_property(eigen_folder Eigen3::Eigen INTERFACE_INCLUDE_DIRECTORIES)
  target_include_directories(warplens_blas SYSTEM PRIVATE ${WARPLENS_CUDA_INCLUDE_DIRS} ${eigen_folder})
  target_include_directories(warplens_blas PRIVATE ${CMAKE_SOURCE_DIR})
  target_link_libraries(warplens_blas PRIVATE warplens_flags)
  foreach(version 12 13)
    warplens_library(cublas ${version} cuda/stand_in/libraries/blas/api.def cuda/stand_in/libraries/blas/version.cpp $<TARGET_OBJECTS:warplens_blas>)
  endforeach()
  target_compile_definitions(warplens_cublas_12 PRIVATE WARPLENS_CUBLAS_VERSION=120901)
  target_compile_definitions(warplens_cublas_13 PRIVATE WARPLENS_CUBLAS_VERSION=130100)

  # The same in CUDA 12 and 13.
  warplens_glob(rand_sources cuda/stand_in/libraries/rand/*.cpp)
  warplens_library(curand 10 cuda/stand_in/libraries/rand/api.def ${rand_sources})

  foreach(version 12 13)
    warplens_refused_library(cublasLt ${version} blas_lt cuBLASLt 15 "Call cublasGemmEx of cuBLAS instead.")
  endforeach()
  foreach(version 11 12)
    warplens_refused_library(cufft ${version} fft cuFFT 16 "Transform on the host, or by a kernel of your own.")
    warplens_refused_library(cusolver ${version} solver cuSOLVER 9
      "Solve on the host, and triangular systems by cublasStrsm of cuBLAS.")
  endforeach()
  warplens_refused_library(cusparse 12 sparse cuSPARSE 10 "Multiply by a kernel of your own, or on the host.")

  get_property(libraries_for_programs GLOBAL PROPERTY warplens_libraries)
  add_custom_target(warplens_all_libraries DEPENDS ${libraries_for_programs})
endif()

# All libraries for programs: what `tools/run program …` builds in addition to the program itself.
add_custom_target(warplens_for_programs)
foreach(target warplens_driver warplens_exec warplens_relay warplens_runtime_12 warplens_runtime_13 warplens_empty_12
    warplens_empty_13 warplens_linker_12 warplens_linker_13 warplens_all_libraries)
  if(TARGET ${target})
    add_dependencies(warplens_for_programs ${target})
  endif()
endforeach()
