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

# Warnings for our own code; headers of others come in as SYSTEM.
add_library(procsim_warnings INTERFACE)
target_compile_options(procsim_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
                       -Woverloaded-virtual -Wcast-qual)
if(PROCSIM_WERROR)
  target_compile_options(procsim_warnings INTERFACE -Werror)
endif()

# procsim_library(NAME SOURCES... [PUBLIC targets...] [PRIVATE targets...])
# One static library per folder. PUBLIC and PRIVATE name what it may include: nothing else is on its path.
function(procsim_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  add_library(${name} STATIC ${arg_SOURCES})
  target_link_libraries(${name} PUBLIC ${arg_PUBLIC} PRIVATE ${arg_PRIVATE} procsim_warnings)
  procsim_view(${name})
endfunction()

# Includes are written "folder/file.hpp". A folder's view is a directory that holds one link, to that folder, so a
# target sees the folders it links and no others: a wrong include does not compile.
function(procsim_view name)
  set(view ${CMAKE_BINARY_DIR}/include/${name})
  file(MAKE_DIRECTORY ${view})
  file(CREATE_LINK ${CMAKE_SOURCE_DIR}/${name} ${view}/${name} SYMBOLIC)
  target_include_directories(${name} PUBLIC ${view})
endfunction()
