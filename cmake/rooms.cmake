# rooms.cmake -- the algorithms of the tree, as src/algorithms/rooms.h lists them: what is compiled of
# their rooms, by the names of the files.
#
#   *_kernels.c            for each kind of core; the table is named after the file
#   *_sweeps.c             the same, but for a mesh, whose management core sweeps
#   *_validate_kernels.c   for the host's cores, as *_async_kernels.c
#   NAME.c of room NAME    for each kind of core and once more, where rooms.h says so
#   other .c               once
#
# A room that does otherwise says so in its room.cmake.
set(mw_rooms_header ${PROJECT_SOURCE_DIR}/src/algorithms/rooms.h)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${mw_rooms_header})

# mw_list_rooms(rooms meshes): names, and beside them the files of mesh kernels.
function(mw_list_rooms rooms meshes)
  file(READ ${mw_rooms_header} text)
  string(REGEX MATCHALL "\n +[A-Z]+\\(arg, [a-z_0-9]+, [a-z_0-9]+" lines "${text}")
  list(TRANSFORM lines REPLACE ".*\\(arg, ([a-z_0-9]+), .*" "\\1" OUTPUT_VARIABLE names)
  list(TRANSFORM lines REPLACE ".*, " "" OUTPUT_VARIABLE files)
  set(${rooms} ${names} PARENT_SCOPE)
  set(${meshes} ${files} PARENT_SCOPE)
endfunction()

# mw_write_steps(room file source): a source that is the management core's pass over an only file. Flags of a
# source are those of all its targets, so that pass has a source of its own.
function(mw_write_steps room file source)
  set(${source} ${CMAKE_CURRENT_BINARY_DIR}/${room}_steps.c PARENT_SCOPE)
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${room}_steps.c CONTENT
    "#define MW_SKELETON \"traversal/skeleton_steps.h\"\n#define MW_ROOM ${room}\n#include \"${file}\"\n")
endfunction()

# mw_read_room(room mesh sources kernels): paths in src/algorithms; kernels as file=table=kind.
function(mw_read_room room mesh sources_name kernels_name)
  set(folder ${PROJECT_SOURCE_DIR}/src/algorithms)
  set(MW_KINDS_WITHOUT_MESH ${MW_KINDS_OF_CORE})
  list(REMOVE_ITEM MW_KINDS_WITHOUT_MESH mesh)
  set(sources "")
  set(kernels "")
  macro(mw_room_kernels file)
    get_filename_component(table ${file} NAME_WE)
    foreach(kind ${ARGN})
      list(APPEND kernels ${room}/${file}=${table}=${kind})
    endforeach()
  endmacro()
  if(EXISTS ${folder}/${room}/room.cmake)
    include(${folder}/${room}/room.cmake)
  else()
    file(GLOB files CONFIGURE_DEPENDS RELATIVE ${folder}/${room} ${folder}/${room}/*.c)
    foreach(file IN LISTS files)
      if(file MATCHES "_(validate|async)_kernels\\.c$")
        mw_room_kernels(${file} serial host)
      elseif(file MATCHES "_kernels\\.c$")
        mw_room_kernels(${file} ${MW_KINDS_OF_CORE})
      elseif(file MATCHES "_sweeps\\.c$")
        mw_room_kernels(${file} ${MW_KINDS_WITHOUT_MESH})
      else()
        if(file STREQUAL "${mesh}.c")
          mw_room_kernels(${file} ${MW_KINDS_OF_CORE})
          mw_write_steps(${room} ${folder}/${room}/${file} source)
          list(APPEND sources ${source})
        else()
          list(APPEND sources ${room}/${file})
        endif()
      endif()
    endforeach()
  endif()
  set(${sources_name} ${sources} PARENT_SCOPE)
  set(${kernels_name} ${kernels} PARENT_SCOPE)
endfunction()

# mw_split_kernels(entry file table kind)
function(mw_split_kernels entry)
  string(REPLACE "=" ";" parts ${entry})
  foreach(name ${ARGN})
    list(POP_FRONT parts part)
    set(${name} ${part} PARENT_SCOPE)
  endforeach()
endfunction()
