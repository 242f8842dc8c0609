# `cmake --build BUILD --target uninstall` takes away what the last `cmake --install BUILD` put there, as
# install_manifest.txt of the build folder lists it. Folders called meshway, and what Python has compiled in
# them, go with their last file; all other folders stay, since they may be anybody's. Included by CMakeLists.txt it adds the target; run as a script
# (cmake -DMANIFEST=FILE -P) it does so. DESTDIR counts, as for the installation.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  if(NOT TARGET uninstall)
    add_custom_target(uninstall
      COMMAND ${CMAKE_COMMAND} -DMANIFEST=${CMAKE_BINARY_DIR}/install_manifest.txt
              -P ${CMAKE_CURRENT_LIST_FILE}
      COMMENT "Taking away what was installed" VERBATIM)
  endif()
  return()
endif()

if(NOT EXISTS "${MANIFEST}")
  message(FATAL_ERROR "${MANIFEST}: is not there; nothing was installed from this build folder")
endif()
file(STRINGS "${MANIFEST}" files)
set(gone 0)
set(folders "")
foreach(file IN LISTS files)
  set(file "$ENV{DESTDIR}${file}")
  if(EXISTS "${file}" OR IS_SYMLINK "${file}")
    file(REMOVE "${file}")
    if(EXISTS "${file}" OR IS_SYMLINK "${file}")
      message(FATAL_ERROR "${file}: cannot be removed")
    endif()
    math(EXPR gone "${gone} + 1")
  endif()
  get_filename_component(folder "${file}" DIRECTORY)
  while(folder MATCHES "/meshway(-[0-9.]+dist-info)?(/|$)")
    list(APPEND folders "${folder}")
    get_filename_component(folder "${folder}" DIRECTORY)
  endwhile()
endforeach()

# The innermost first.
list(REMOVE_DUPLICATES folders)
list(SORT folders ORDER DESCENDING)
foreach(folder IN LISTS folders)
  file(GLOB left LIST_DIRECTORIES TRUE "${folder}/*" "${folder}/.*")
  list(FILTER left EXCLUDE REGEX "/(\\.\\.?|__pycache__)$")
  if(IS_DIRECTORY "${folder}" AND NOT left)
    file(REMOVE_RECURSE "${folder}")
  endif()
endforeach()
message(STATUS "${gone} files are gone")
