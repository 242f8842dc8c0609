# room.cmake -- see cmake/rooms.cmake. A device searches level by level with kernels of its own, beside
# those that are tuned by hand; the sweeps of hosts are no patterns.
# The instruction set of heads differs by file, chosen here, and by processor, chosen at start.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(heads bfs/heads_x86.c bfs/heads_avx512.c)
else()
  set(heads bfs/heads_generic.c)
endif()
file(GLOB sources CONFIGURE_DEPENDS RELATIVE ${folder} ${folder}/bfs/*.c)
list(FILTER sources EXCLUDE REGEX "_kernels\\.c$|bfs_sweeps\\.c$|_device_|/heads_(x86|avx512|generic)")
list(APPEND sources ${heads})
mw_room_kernels(bfs_kernels.c serial host mesh counted)
mw_room_kernels(bfs_sweeps.c serial host counted)
mw_room_kernels(bfs_validate_kernels.c serial host)
mw_room_kernels(bfs_async_kernels.c serial host)
foreach(kind ${MW_KINDS_OF_DEVICES})
  list(APPEND kernels bfs/bfs_device_kernels.c=bfs_kernels=${kind} bfs/bfs_device_sweeps.c=bfs_sweeps=${kind})
endforeach()
