# The commit that is built: looked up at each build, and written only if it has changed. It is in a library of its
# own, so that only the program itself is linked again for it.
#   cmake -D OUTPUT=… -D SOURCE=… -P commit.cmake   writes the file
if(CMAKE_SCRIPT_MODE_FILE)
  set(commit "")
  execute_process(COMMAND git -C ${SOURCE} rev-parse --show-toplevel OUTPUT_VARIABLE top ERROR_QUIET
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(top STREQUAL SOURCE)  # and not that of a checkout around an unpacked archive
    execute_process(COMMAND git -C ${SOURCE} rev-parse --short=10 HEAD OUTPUT_VARIABLE commit ERROR_QUIET
                    OUTPUT_STRIP_TRAILING_WHITESPACE)
    execute_process(COMMAND git -C ${SOURCE} diff --quiet HEAD RESULT_VARIABLE changed ERROR_QUIET)
    if(commit AND changed)
      string(APPEND commit " with changes")
    endif()
  endif()
  file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
#include "app/built_commit.h"

const char* warplens::built_commit() { return "@commit@"; }
]])
  return()
endif()

set(commit_source ${CMAKE_BINARY_DIR}/generated/built_commit.cpp)
add_custom_target(warplens_look_at_commit
  COMMAND ${CMAKE_COMMAND} -D OUTPUT=${commit_source} -D SOURCE=${CMAKE_SOURCE_DIR} -P ${CMAKE_CURRENT_LIST_FILE}
  BYPRODUCTS ${commit_source})
add_library(warplens_commit STATIC ${commit_source})
add_dependencies(warplens_commit warplens_look_at_commit)
target_include_directories(warplens_commit PRIVATE ${CMAKE_SOURCE_DIR})
