# procsim_embed(TARGET file symbol [file symbol]…)
# Builds files into a target, so that an installed program needs none beside it. A source of the target reads one with
#
#   #include "embedded/<symbol>.hpp"
#   std::string_view text = procsim::embedded::<symbol>();   // lives as long as the program
#
# Paths are relative to the calling CMakeLists.txt. A changed file is embedded again at the next build.
# The target `embedded` makes them all, for a program that reads sources without building them.
add_custom_target(embedded)
function(procsim_embed target)
  set(folder ${CMAKE_BINARY_DIR}/embedded/${target})
  set(pairs ${ARGN})
  list(LENGTH pairs left)
  while(left GREATER 1)
    list(POP_FRONT pairs file symbol)
    cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    set(header ${folder}/embedded/${symbol}.hpp)
    set(source ${folder}/${symbol}.cpp)
    add_custom_command(
      OUTPUT ${header} ${source}
      COMMAND ${CMAKE_COMMAND} -DFILE=${file} -DSYMBOL=${symbol} -DHEADER=${header} -DSOURCE=${source} -P
              ${CMAKE_SOURCE_DIR}/cmake/EmbedFile.cmake
      DEPENDS ${file} ${CMAKE_SOURCE_DIR}/cmake/EmbedFile.cmake
      COMMENT "Embedding ${file}"
      VERBATIM)
    target_sources(${target} PRIVATE ${header} ${source})
    list(APPEND headers ${header})
    list(LENGTH pairs left)
  endwhile()
  if(left)
    message(FATAL_ERROR "procsim_embed(${target} …): '${pairs}' has no symbol. Give pairs of a file and a symbol.")
  endif()
  add_custom_target(${target}_embedded DEPENDS ${headers})
  add_dependencies(embedded ${target}_embedded)
  target_include_directories(${target} PRIVATE ${folder})
endfunction()
