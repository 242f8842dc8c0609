# kokkos.cmake -- the backend "kokkos" (MW_WITH_KOKKOS): finds Kokkos, or fetches it where that is
# allowed, and compiles portability/kokkos/. Included by CMakeLists.txt; docs/gpu.md has the commands.
#
# Everything but these files stays C; programs are then linked by the C++ compiler.
option(MW_KOKKOS_FETCH "download Kokkos where none is installed" OFF)
option(MW_KOKKOS_APART "treat the device's memory as out of the host's reach even where it is not" OFF)
set(MW_KOKKOS_RELEASE 4.7.01) # the first for CUDA 13
set(MW_KOKKOS_SHA256 404cf33e76159e83b8b4ad5d86f6899d442b5da4624820ab457412116cdcd201)

set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
enable_language(CXX)

# Where a prefix is named, no other Kokkos is taken: neither one of the system, nor that of an earlier call.
set(MW_GPU_ARCH "" CACHE STRING "the GPU that Kokkos has to be built for, as HOPPER90; empty: whichever it is")
set(prefixes "${Kokkos_ROOT}")
if(NOT prefixes AND NOT Kokkos_DIR)
  file(TO_CMAKE_PATH "$ENV{Kokkos_ROOT}" prefixes)
endif()
if(prefixes AND NOT CMAKE_DISABLE_FIND_PACKAGE_Kokkos)
  unset(Kokkos_DIR CACHE)
  find_package(Kokkos CONFIG QUIET NO_DEFAULT_PATH PATHS ${prefixes})
  if(NOT Kokkos_FOUND AND MW_KOKKOS_FETCH AND NOT Kokkos_ROOT) # as modules of a cluster may set it
    message(WARNING "Kokkos_ROOT=${prefixes} of the environment has no Kokkos: it is downloaded")
  elseif(NOT Kokkos_FOUND)
    if(Kokkos_CONSIDERED_CONFIGS)
      set(why "${Kokkos_CONSIDERED_CONFIGS} cannot be taken. ${Kokkos_NOT_FOUND_MESSAGE}")
    else()
      set(why "no Kokkos is installed there (lib/cmake/Kokkos/KokkosConfig.cmake). Name the folder that it was "
        "installed to, or leave Kokkos_ROOT out to have another looked for")
    endif()
    string(CONCAT why ${why})
    message(FATAL_ERROR "Kokkos_ROOT=${prefixes}: ${why}")
  endif()
else()
  find_package(Kokkos CONFIG QUIET)
endif()
if(Kokkos_FOUND)
  # Debian's libtrilinos-kokkos-dev names a folder that does not exist.
  get_target_property(include Kokkos::kokkos INTERFACE_INCLUDE_DIRECTORIES)
  if(include AND NOT EXISTS "${include}/Kokkos_Core.hpp" AND EXISTS /usr/include/trilinos/Kokkos_Core.hpp)
    set_target_properties(Kokkos::kokkos PROPERTIES INTERFACE_INCLUDE_DIRECTORIES /usr/include/trilinos)
  endif()
elseif(MW_KOKKOS_FETCH)
  include(FetchContent)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON) # libmeshway.so has it inside
  FetchContent_Declare(kokkos URL_HASH SHA256=${MW_KOKKOS_SHA256}
    URL https://github.com/kokkos/kokkos/releases/download/${MW_KOKKOS_RELEASE}/kokkos-${MW_KOKKOS_RELEASE}.tar.gz)
  FetchContent_MakeAvailable(kokkos)
  unset(CMAKE_POSITION_INDEPENDENT_CODE)
  set(Kokkos_VERSION ${MW_KOKKOS_RELEASE})
else()
  message(FATAL_ERROR "MW_WITH_KOKKOS: there is no Kokkos here. Either install one (Debian: apt-get install "
    "libtrilinos-kokkos-dev; elsewhere say where: -DKokkos_ROOT=PREFIX), or let it be downloaded "
    "(-DMW_KOKKOS_FETCH=ON, with the options of Kokkos, as -DKokkos_ENABLE_CUDA=ON -DKokkos_ARCH_HOPPER90=ON). "
    "docs/gpu.md has whole commands.")
endif()

# What differs by device.
set(arch 0)
string(TOUPPER "${MW_GPU_ARCH}" asked)
if(asked AND Kokkos_FOUND AND NOT asked IN_LIST Kokkos_ARCH)
  string(REPLACE ";" ", " is "${Kokkos_ARCH}")
  message(FATAL_ERROR "MW_GPU_ARCH=${MW_GPU_ARCH}: the Kokkos in ${Kokkos_DIR} is built for ${is}. "
    "Build one with -DKokkos_ARCH_${asked}=ON, and say where it is: -DKokkos_ROOT=PREFIX")
endif()
if(Kokkos_ENABLE_CUDA)
  set(device cuda)

  if(Kokkos_VERSION VERSION_LESS 4)
    message(FATAL_ERROR "Kokkos ${Kokkos_VERSION} for CUDA: 4.0 or newer is needed, 4.7.01 for CUDA 13")
  endif()
  if("${Kokkos_ARCH}" MATCHES "(KEPLER|MAXWELL|PASCAL|VOLTA|TURING|AMPERE|ADA|HOPPER|BLACKWELL)([0-9]+)")
    set(arch ${CMAKE_MATCH_2}) # beside the processor's
  endif()
elseif(Kokkos_ENABLE_HIP)
  set(device hip)
elseif(Kokkos_ENABLE_SYCL)
  set(device sycl)
else()
  set(device host)
endif()
set(both Kokkos::HostSpace)
if(NOT device STREQUAL "host")
  set(both Kokkos::SharedHostPinnedSpace)
endif()
message(STATUS "Kokkos ${Kokkos_VERSION}, ${device}")

# Can libmeshway.so have it inside? A static Kokkos without position-independent code cannot be in a
# shared library. What a program cannot have inside either is not asked; a yes is kept for this Kokkos.
include(CheckCXXSourceCompiles)
function(mw_try_kokkos variable)
  set(CMAKE_REQUIRED_LIBRARIES Kokkos::kokkos)
  set(CMAKE_REQUIRED_FLAGS -fPIC)
  set(CMAKE_REQUIRED_LINK_OPTIONS ${ARGN})
  set(CMAKE_REQUIRED_QUIET ON)
  check_cxx_source_compiles("
    #include <Kokkos_Core.hpp>
    int main()
    {
        Kokkos::initialize();
        void *const p = Kokkos::kokkos_malloc(8);
        Kokkos::kokkos_free(p);
        Kokkos::finalize();
    }" ${variable})
endfunction()
if(Kokkos_FOUND)
  if(NOT "${MW_KOKKOS_TRIED}" STREQUAL "${Kokkos_DIR}" OR NOT MW_KOKKOS_SHARED)
    unset(MW_KOKKOS_SHARED CACHE)
    unset(MW_KOKKOS_LINKED CACHE)
  endif()
  mw_try_kokkos(MW_KOKKOS_SHARED -shared)
  if(NOT MW_KOKKOS_SHARED)
    mw_try_kokkos(MW_KOKKOS_LINKED)
  endif()
  set(MW_KOKKOS_TRIED "${Kokkos_DIR}" CACHE INTERNAL "the Kokkos that was tried")
  if(MW_KOKKOS_LINKED AND NOT MW_KOKKOS_SHARED)
    set(MW_SHARED_LIBRARY OFF)
    message(STATUS "libmeshway: the archive only, for this Kokkos cannot be in a shared library. Build Kokkos with "
      "-DCMAKE_POSITION_INDEPENDENT_CODE=ON, or with -DBUILD_SHARED_LIBS=ON, and configure again")
  endif()
endif()

# The flags of C that C++ shares; of devices' compilers only what all have.
get_target_property(flags mw_flags INTERFACE_COMPILE_OPTIONS)
list(FILTER flags EXCLUDE REGEX "^-W(pedantic|undef|shadow|conversion|vla|.*-prototypes)$")
if(NOT device STREQUAL "host")
  list(FILTER flags INCLUDE REGEX "^-(fPIC|fvisibility=.*|Wall|Wextra)$")
endif()

add_library(mw_kokkos INTERFACE)
target_link_libraries(mw_kokkos INTERFACE Kokkos::kokkos)
target_compile_options(mw_kokkos INTERFACE ${flags})
target_include_directories(mw_kokkos INTERFACE
  $<TARGET_PROPERTY:mw_flags,INTERFACE_INCLUDE_DIRECTORIES>)
target_compile_definitions(mw_kokkos INTERFACE MW_KOKKOS_BOTH=${both} MW_KOKKOS_ARCH=${arch}
  MW_KOKKOS_APART=$<BOOL:${MW_KOKKOS_APART}>)
get_target_property(include Kokkos::kokkos INTERFACE_INCLUDE_DIRECTORIES)
if(include)
  target_include_directories(mw_kokkos SYSTEM INTERFACE ${include})
endif()

# mw_add_kokkos(layer file...): of portability/kokkos/, compiled apart, so that Kokkos' flags stay with
# C++; what links the layer links Kokkos.
function(mw_add_kokkos layer)
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/portability/kokkos/)
  add_library(mw_kokkos_${layer} OBJECT ${ARGN})
  target_link_libraries(mw_kokkos_${layer} PRIVATE mw_kokkos)
  target_sources(mw_${layer} PRIVATE $<TARGET_OBJECTS:mw_kokkos_${layer}>)
  target_link_libraries(mw_${layer} PUBLIC $<LINK_ONLY:Kokkos::kokkos>)
  set_property(TARGET mw_${layer} PROPERTY LINKER_LANGUAGE CXX)
  target_link_options(mw_${layer} PUBLIC ${MW_KOKKOS_LINK})
endfunction()
set(MW_KOKKOS_LINK "")
# Of the same functions, and of the host's cores for tests.
set(MW_KOKKOS_TRADING trading_nccl.cpp)
set(library libnccl.so.2)
if(device STREQUAL "hip")
  set(library librccl.so.1)
elseif(device STREQUAL "sycl")
  set(MW_KOKKOS_TRADING trading_none.cpp)
endif()
target_compile_definitions(mw_kokkos INTERFACE MW_KOKKOS_NCCL="${library}")
set(MW_KOKKOS_DEVICES devices_${device}.cpp lending_none.cpp ${MW_KOKKOS_TRADING})
set(MW_KOKKOS_WHOLE whole/whole_none.cpp)
if(device STREQUAL "cuda")
  set(MW_KOKKOS_LINK LINKER:--as-needed) # Kokkos names the driver's library, of which driver_cuda.cpp leaves no need
  set(MW_KOKKOS_DEVICES devices_cuda.cpp driver_cuda.cpp lending_cuda.cpp ${MW_KOKKOS_TRADING})
  set(MW_KOKKOS_WHOLE whole/whole_cuda.cpp whole/linked_cuda.cpp whole/small_levels_cuda.cpp whole/paths_cuda.cpp
      whole/small_rounds_cuda.cpp whole/peeling_cuda.cpp)
endif()

list(APPEND MW_KINDS_OF_CORE kokkos)
list(APPEND MW_KINDS_OF_DEVICES kokkos)
list(APPEND MW_KINDS_THAT_BUILD kokkos)
list(APPEND MW_KINDS_TUNED kokkos)
