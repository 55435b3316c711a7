# cmake --install build/release --prefix FOLDER: a tree that runs from any folder.
#   --component program   the program and its licence; the system brings the libraries
#   --component bundle    the libraries that a system may not have, with their licences (tools/package)
set(bundle_folder lib/warplens)
# An RPATH and no RUNPATH: bundled libraries find each other there too.
set_target_properties(warplens PROPERTIES INSTALL_RPATH "\$ORIGIN/../${bundle_folder}")
target_link_options(warplens PRIVATE -Wl,--disable-new-dtags)

install(TARGETS warplens RUNTIME DESTINATION bin COMPONENT program)
install(FILES LICENSE DESTINATION share/doc/warplens COMPONENT program)
install(CODE "set(bundle_folder ${bundle_folder})" COMPONENT bundle EXCLUDE_FROM_ALL)
install(CODE "set(licence_folders \"${WARPLENS_IMGUI_DIR}/licences\")" COMPONENT bundle EXCLUDE_FROM_ALL)
install(CODE "set(linked_packages $<$<BOOL:${WARPLENS_HAS_TIER}>:libasmjit-dev>)" COMPONENT bundle EXCLUDE_FROM_ALL)
install(SCRIPT ${CMAKE_CURRENT_LIST_DIR}/bundle.cmake COMPONENT bundle EXCLUDE_FROM_ALL)
