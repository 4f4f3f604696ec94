# Installed programs run from anywhere: they look for the libraries that the wheels brought in lib/procsim beside bin,
# and `cmake --install` puts them there. Libraries of the distribution are found the usual way.
set(PROCSIM_BUNDLE_DIR ${CMAKE_INSTALL_LIBDIR}/procsim)
file(RELATIVE_PATH bundle_from_bin ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR}/procsim)
list(PREPEND CMAKE_INSTALL_RPATH "$ORIGIN/${bundle_from_bin}")
# In a wheel they stand in site-packages/procsim/bin and take the libraries of the wheels beside them.
if(PROCSIM_WHEEL)
  set(CMAKE_INSTALL_BINDIR procsim/bin)
  set(CMAKE_INSTALL_RPATH "$ORIGIN/../../torch/lib" "$ORIGIN/../../pyarrow")
endif()

function(procsim_install_program target)
  install(TARGETS ${target} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()

function(procsim_install_bundle)
  if(PROCSIM_WHEEL)
    return()
  endif()
  install(FILES ${PROCSIM_BUNDLED_LIBRARIES} DESTINATION ${PROCSIM_BUNDLE_DIR})
endfunction()
