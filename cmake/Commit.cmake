# procsim_commit(TARGET)
# Tells a program which commit it was built from: build_commit() of tools/train/shared/build_commit.hpp, empty outside a
# checkout. Written again when the checkout moves; only this one small source is compiled then.
function(procsim_commit target)
  set(source ${CMAKE_BINARY_DIR}/commit/build_commit.cpp)
  set(moves) # git's log of them
  if(EXISTS ${CMAKE_SOURCE_DIR}/.git/logs/HEAD)
    set(moves ${CMAKE_SOURCE_DIR}/.git/logs/HEAD)
  endif()
  set(script ${CMAKE_SOURCE_DIR}/cmake/CommitSource.cmake)
  add_custom_command(
    OUTPUT ${source}
    COMMAND ${CMAKE_COMMAND} -DROOT=${CMAKE_SOURCE_DIR} -DSOURCE=${source} -P ${script}
    DEPENDS ${script} ${moves}
    COMMENT "Asking for the commit"
    VERBATIM)
  set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
  target_sources(${target} PRIVATE ${source})
endfunction()
