# warplens_embed(TARGET entries…): a static library that implements core/base/system/embedded.h. An entry is "path
# inside the program|file on disk".
if(CMAKE_CROSSCOMPILING)
  # It runs on the building machine, whatever the target of the build is.
  find_program(WARPLENS_CXX_HERE NAMES c++ g++ clang++ REQUIRED)
  add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/embed_files
    COMMAND ${WARPLENS_CXX_HERE} -std=c++20 -O1 -I${CMAKE_SOURCE_DIR} -o ${CMAKE_BINARY_DIR}/embed_files
            ${CMAKE_SOURCE_DIR}/cmake/embed_files.cpp
    DEPENDS ${CMAKE_SOURCE_DIR}/cmake/embed_files.cpp VERBATIM)
  set(embed_files ${CMAKE_BINARY_DIR}/embed_files)
else()
  add_executable(embed_files ${CMAKE_SOURCE_DIR}/cmake/embed_files.cpp)
  target_link_libraries(embed_files PRIVATE warplens_flags)
  set(embed_files embed_files)
endif()

function(warplens_embed target)
  set(entries ${ARGN})
  list(SORT entries)
  set(files ${entries})
  list(TRANSFORM files REPLACE "^[^|]*[|]" "")
  list(JOIN entries "\n" text)

  set(list_file ${CMAKE_BINARY_DIR}/generated/${target}.txt)
  set(source ${CMAKE_BINARY_DIR}/generated/${target}.cpp)
  file(GENERATE OUTPUT ${list_file} CONTENT "${text}\n")
  add_custom_command(OUTPUT ${source}
    COMMAND ${embed_files} ${source} ${list_file}
    DEPENDS ${embed_files} ${list_file} ${files}
    COMMENT "Embedding kernels and assets" VERBATIM)
  add_library(${target} STATIC ${source} ${CMAKE_SOURCE_DIR}/cmake/embedded.cpp)
  target_link_libraries(${target} PRIVATE warplens_flags)
  target_include_directories(${target} PUBLIC ${CMAKE_SOURCE_DIR})
endfunction()
