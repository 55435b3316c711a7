# The sources of a library are those in its folder, so that a new file is part of the build without a line here.

# warplens_sources(OUT [EXCEPT FOLDERS…]): every .cpp below the current folder, but for those below these folders of it.
function(warplens_sources out)
  cmake_parse_arguments(PARSE_ARGV 1 of "" "" "EXCEPT")
  file(GLOB_RECURSE files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  foreach(folder IN LISTS of_EXCEPT)
    list(FILTER files EXCLUDE REGEX "^${CMAKE_CURRENT_SOURCE_DIR}/${folder}/")
  endforeach()
  set(${out} ${files} PARENT_SCOPE)
endfunction()

# warplens_implementation(OUT FOLDERS…): the files of the folders that implement a library's interface. A file of a later
# folder replaces the one of the same name in an earlier folder.
function(warplens_implementation out)
  set(chosen "")
  foreach(folder IN LISTS ARGN)
    file(GLOB_RECURSE files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp)
    if(NOT files)
      message(FATAL_ERROR "There is no implementation ${CMAKE_CURRENT_SOURCE_DIR}/${folder}")
    endif()
    foreach(file IN LISTS files)
      get_filename_component(name ${file} NAME)
      list(FILTER chosen EXCLUDE REGEX "/${name}$")
    endforeach()
    list(APPEND chosen ${files})
  endforeach()
  set(${out} ${chosen} PARENT_SCOPE)
endfunction()

# warplens_apart(FILES…): files of this folder that a linker takes or leaves one by one, or that declare other names than
# their neighbours: each is compiled alone.
function(warplens_apart)
  foreach(file IN LISTS ARGN)
    file(REAL_PATH ${file} file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    set_property(SOURCE ${file} DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
                 PROPERTY SKIP_UNITY_BUILD_INCLUSION ON)
  endforeach()
endfunction()

# warplens_glob(OUT PATTERNS…): files below the root, by patterns from there.
function(warplens_glob out)
  list(TRANSFORM ARGN PREPEND ${CMAKE_SOURCE_DIR}/)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR} ${ARGN})
  set(${out} ${files} PARENT_SCOPE)
endfunction()
