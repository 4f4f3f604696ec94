# Compiler settings shared by every target: warnings, sanitizers, ccache, a fast linker.

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Paths below the checkout count as relative, so that a second checkout finds what the first one compiled; the
  # sloppiness is what ccache asks for where a header is precompiled.
  set(cached_compiler ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
                      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
                      ${CCACHE_PROGRAM})
  set(CMAKE_C_COMPILER_LAUNCHER ${cached_compiler})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${cached_compiler})
  add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>)
endif()

find_program(MOLD_PROGRAM mold)
if(MOLD_PROGRAM)
  add_link_options(-fuse-ld=mold)
endif()

if(PROCSIM_SANITIZE)
  add_compile_options(-fsanitize=${PROCSIM_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${PROCSIM_SANITIZE})
endif()

if(PROCSIM_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# Warnings for our own code; headers of others come in as SYSTEM.
add_library(procsim_warnings INTERFACE)
target_compile_options(procsim_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
                       -Woverloaded-virtual -Wcast-qual -Winvalid-pch)
if(CMAKE_UNITY_BUILD)
  # GCC warns where a class of the "header" uses an anonymous namespace; here the header is a source of ours.
  target_compile_options(procsim_warnings INTERFACE -Wno-subobject-linkage)
endif()
if(PROCSIM_WERROR)
  target_compile_options(procsim_warnings INTERFACE -Werror)
endif()

# --- Precompiled headers ------------------------------------------------------------------------------------------
# Most of the time of a source goes into the headers of others, so they are read once for all targets alike:
#   plain   the standard library, fmt, JSON           arrow   and Arrow with Parquet
#   torch   LibTorch                                   cli     and CLI11
#   test, test_torch   and GoogleTest, compiled as the tests are
# A target says which with procsim_precompiled; -Winvalid-pch fails where one was not taken.
function(procsim_precompiled_header kind)
  cmake_parse_arguments(arg "" "" "LIBRARIES;HEADERS;OPTIONS" ${ARGN})
  file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/precompiled/${kind}.cpp CONTENT "")
  add_library(precompiled_${kind} OBJECT ${CMAKE_BINARY_DIR}/precompiled/${kind}.cpp)
  target_link_libraries(precompiled_${kind} PRIVATE ${arg_LIBRARIES} procsim::json procsim_warnings)
  if(kind MATCHES torch)
    target_link_libraries(precompiled_${kind} PRIVATE procsim::fmt_beside_torch)
  else()
    target_link_libraries(precompiled_${kind} PRIVATE procsim::fmt)
  endif()
  target_compile_options(precompiled_${kind} PRIVATE ${arg_OPTIONS})
  target_precompile_headers(precompiled_${kind} PRIVATE ${arg_HEADERS})
  set_target_properties(precompiled_${kind} PROPERTIES UNITY_BUILD OFF)
endfunction()

function(procsim_precompiled target kind)
  if(kind MATCHES torch)
    target_link_libraries(${target} PRIVATE procsim::fmt_beside_torch)
  else()
    target_link_libraries(${target} PRIVATE procsim::fmt)
  endif()
  target_precompile_headers(${target} REUSE_FROM precompiled_${kind})
endfunction()

# --- Rooms --------------------------------------------------------------------------------------------------------
# procsim_room(FOLDER ROOM SOURCES… [PUBLIC targets…] [PRIVATE targets…] [PRECOMPILED kind])
# One static library per room, FOLDER_ROOM, from FOLDER/ROOM. PUBLIC and PRIVATE name what it may include: nothing else
# is on its path. A folder without rooms is procsim_library(FOLDER …).
function(procsim_room folder room)
  procsim_static_library(${folder}_${room} ${folder}/${room} ${room}/ ${ARGN})
endfunction()

# procsim_sources(VARIABLE FOLDER): every source of a room, for rooms that grow by a file; a new one is seen at the
# next build.
function(procsim_sources variable folder)
  file(GLOB sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/${folder} ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp)
  set(${variable} ${sources} PARENT_SCOPE)
endfunction()

function(procsim_library folder)
  procsim_static_library(${folder} ${folder} "" ${ARGN})
endfunction()

function(procsim_static_library name path prefix)
  cmake_parse_arguments(arg "" "PRECOMPILED" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  if(NOT arg_PRECOMPILED)
    set(arg_PRECOMPILED plain)
  endif()
  list(TRANSFORM arg_SOURCES PREPEND "${prefix}")
  add_library(${name} STATIC ${arg_SOURCES})
  target_link_libraries(${name} PUBLIC ${arg_PUBLIC} PRIVATE ${arg_PRIVATE} procsim_warnings)
  procsim_precompiled(${name} ${arg_PRECOMPILED})
  procsim_view(${name} ${path})
endfunction()

# Includes are written "folder/room/file.hpp". A target's view is a directory that holds one link, to its room, so a
# target sees the rooms it links and no others: a wrong include does not compile.
function(procsim_view name path)
  set(view ${CMAKE_BINARY_DIR}/include/${name})
  cmake_path(GET path PARENT_PATH parent)
  file(MAKE_DIRECTORY ${view}/${parent})
  file(CREATE_LINK ${CMAKE_SOURCE_DIR}/${path} ${view}/${path} SYMBOLIC)
  target_include_directories(${name} PUBLIC ${view})
endfunction()

# procsim_house(FOLDER ROOM…): all rooms of a folder, for those who may see the whole of it.
function(procsim_house folder)
  list(TRANSFORM ARGN PREPEND ${folder}_ OUTPUT_VARIABLE rooms)
  add_library(${folder} INTERFACE)
  target_link_libraries(${folder} INTERFACE ${rooms})
endfunction()

# Executables compile like the libraries, so that they share their precompiled headers.
function(procsim_executable name)
  add_executable(${name} ${ARGN})
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${name} PRIVATE -fPIC)
endfunction()
