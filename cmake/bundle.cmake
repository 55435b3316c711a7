# Copies the shared libraries of the installed program into a folder next to it, with the licences of all it contains. Writes
# share/doc/warplens/parts.tsv: a line for each part of others with its name, version, libraries (none for a part of the program
# itself), licence, and whose version it is. The list of parts of a release (tools/sbom) and the Debian package are made from it.

# Libraries that every Linux desktop has, and that must be the system's own, since its OpenGL driver depends on them.
set(of_the_system
  "^ld-linux" "^lib(c|m|dl|pthread|rt|gcc_s|stdc\\+\\+)\\.so" "^lib(GL|EGL|GLX|OpenGL|drm|gbm|cuda|wayland)")
# cairo is linked to X11, and a machine without a desktop lacks it. A desktop's own library is preferred, since the
# desktop's OpenGL driver uses it too: the launcher uses this folder only if the system has none.
set(of_a_desktop "^lib(X11|Xau|Xdmcp|xcb|bsd|md)\\.so")

set(program ${CMAKE_INSTALL_PREFIX}/bin/warplens)
set(bundle ${CMAKE_INSTALL_PREFIX}/${bundle_folder})
file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${program} RESOLVED_DEPENDENCIES_VAR libraries
     UNRESOLVED_DEPENDENCIES_VAR unresolved PRE_EXCLUDE_REGEXES ${of_the_system})
if(unresolved)
  message(FATAL_ERROR "These libraries of the program were not found: ${unresolved}")
endif()

# Header-only libraries, archives and fonts: part of the program itself.
set(packages libstb-dev nlohmann-json3-dev libcli11-dev libeigen3-dev fonts-inter fonts-jetbrains-mono ${linked_packages})
set(parts "")
foreach(library IN LISTS libraries)
  get_filename_component(name ${library} NAME)
  set(folder ${bundle})
  if(name MATCHES "${of_a_desktop}")
    set(folder ${bundle}/without-a-desktop)
  endif()
  # Only under the name that programs use: links would become copies in some archives.
  file(REAL_PATH ${library} real)
  file(MAKE_DIRECTORY ${folder})
  if(EXISTS ${of_our_own}/${name})
    file(COPY_FILE ${of_our_own}/${name} ${folder}/${name})
  else()
    file(COPY_FILE ${real} ${folder}/${name})
  endif()
  # Debian's packages name the path before or after /lib became a link to /usr/lib.
  execute_process(COMMAND dpkg -S ${real} OUTPUT_VARIABLE owner ERROR_QUIET)
  if(NOT owner)
    string(REGEX REPLACE "^/usr" "" real ${real})
    execute_process(COMMAND dpkg -S ${real} OUTPUT_VARIABLE owner ERROR_QUIET)
  endif()
  string(REGEX MATCH "^[^:]+" owner "${owner}")
  list(APPEND packages ${owner})
  list(APPEND libraries_of_${owner} ${name})
endforeach()

list(REMOVE_DUPLICATES packages)
set(licences ${CMAKE_INSTALL_PREFIX}/share/doc/warplens/licences)
foreach(package IN LISTS packages)
  if(EXISTS /usr/share/doc/${package}/copyright)
    file(REAL_PATH /usr/share/doc/${package}/copyright file)
    file(MAKE_DIRECTORY ${licences})
    file(COPY_FILE ${file} ${licences}/${package}.txt)
  endif()
  execute_process(COMMAND dpkg-query -W -f=\${Version} ${package} OUTPUT_VARIABLE version ERROR_QUIET)
  list(JOIN libraries_of_${package} "," holds)
  string(APPEND parts "${package}\t${version}\t${holds}\tlicences/${package}.txt\tdebian\n")
endforeach()
file(GLOB others ${licence_folders}/*)
foreach(file IN LISTS others)
  file(INSTALL ${file} DESTINATION ${licences})
  cmake_path(GET file FILENAME name)
  cmake_path(GET file STEM LAST_ONLY package)
  string(APPEND parts "${package}\t${imgui_bundle}\t\tlicences/${name}\timgui-bundle\n")
endforeach()
file(WRITE ${CMAKE_INSTALL_PREFIX}/share/doc/warplens/parts.tsv "${parts}")
