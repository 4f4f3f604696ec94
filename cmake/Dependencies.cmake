# Where each dependency is found. docs/dependencies.md says why it is there.
#
# Arrow/Parquet and LibTorch: first the ordinary way (a distribution's packages, CMAKE_PREFIX_PATH), then the private
# Python environment that scripts/setup.sh makes.

set(PROCSIM_ENV "$ENV{PROCSIM_ENV}" CACHE PATH "Python environment made by scripts/setup.sh")
if(NOT PROCSIM_ENV)
  set(PROCSIM_ENV ${CMAKE_SOURCE_DIR}/build/env)
endif()
file(GLOB env_site_packages ${PROCSIM_ENV}/lib/python3.*/site-packages)

find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)

# --- Arrow and Parquet ------------------------------------------------------------------------------------------
# procsim::parquet, whatever it was found as. The wheel has versioned libraries and no CMake package.
set(PROCSIM_BUNDLED_LIBRARIES "" CACHE INTERNAL "Shared libraries that an installed program brings along")
find_package(Arrow CONFIG QUIET)
find_package(Parquet CONFIG QUIET)
add_library(procsim_parquet INTERFACE)
if(Arrow_FOUND AND Parquet_FOUND)
  target_link_libraries(procsim_parquet INTERFACE Arrow::arrow_shared Parquet::parquet_shared)
  message(STATUS "Arrow ${Arrow_VERSION}: ${Arrow_DIR}")
else()
  set(pyarrow_dir ${env_site_packages}/pyarrow)
  file(GLOB arrow_library ${pyarrow_dir}/libarrow.so.*)
  file(GLOB parquet_library ${pyarrow_dir}/libparquet.so.*)
  if(NOT arrow_library OR NOT parquet_library)
    message(FATAL_ERROR "Arrow and Parquet were not found. Run scripts/setup.sh, or point CMAKE_PREFIX_PATH at them.")
  endif()
  foreach(part arrow parquet)
    add_library(procsim_imported_${part} SHARED IMPORTED)
    set_target_properties(procsim_imported_${part} PROPERTIES IMPORTED_LOCATION ${${part}_library})
    target_include_directories(procsim_imported_${part} SYSTEM INTERFACE ${pyarrow_dir}/include)
    target_link_libraries(procsim_parquet INTERFACE procsim_imported_${part})
    list(APPEND PROCSIM_BUNDLED_LIBRARIES ${${part}_library})
  endforeach()
  message(STATUS "Arrow: ${pyarrow_dir}")
endif()
add_library(procsim::parquet ALIAS procsim_parquet)

# --- LibTorch -----------------------------------------------------------------------------------------------------
# procsim::torch, only for train/. Its imported targets are SYSTEM: their headers raise no warnings of ours.
if(PROCSIM_TRAIN)
  find_package(Torch CONFIG QUIET)
  if(NOT Torch_FOUND)
    find_package(Torch CONFIG QUIET PATHS ${env_site_packages}/torch/share/cmake/Torch NO_DEFAULT_PATH)
  endif()
  if(NOT Torch_FOUND)
    message(FATAL_ERROR "LibTorch was not found. Run scripts/setup.sh, point CMAKE_PREFIX_PATH at it, or build the "
                        "other programs alone with -DPROCSIM_TRAIN=OFF.")
  endif()
  message(STATUS "LibTorch ${Torch_VERSION}: ${Torch_DIR}")
  add_library(procsim_torch INTERFACE)
  target_link_libraries(procsim_torch INTERFACE torch torch_cpu c10)
  separate_arguments(torch_flags UNIX_COMMAND "${TORCH_CXX_FLAGS}")
  target_compile_options(procsim_torch INTERFACE ${torch_flags})
  add_library(procsim::torch ALIAS procsim_torch)
  # From the wheel, an installed procsim-train brings LibTorch along.
  get_filename_component(torch_library_dir ${Torch_DIR}/../../../lib ABSOLUTE)
  if(torch_library_dir MATCHES "site-packages")
    file(GLOB torch_libraries ${torch_library_dir}/libtorch.so ${torch_library_dir}/libtorch_cpu.so
         ${torch_library_dir}/libtorch_cuda.so ${torch_library_dir}/libc10*.so ${torch_library_dir}/libgomp*)
    list(APPEND PROCSIM_BUNDLED_LIBRARIES ${torch_libraries})
  endif()
endif()

# --- Others from the distribution -------------------------------------------------------------------------------
find_package(SQLite3 REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(PNG REQUIRED)
find_package(JPEG REQUIRED)
pkg_check_modules(MATIO REQUIRED IMPORTED_TARGET matio)
find_package(Boost REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)

# The torch wheel carries its own fmt headers; header-only use keeps the two from meeting in the linker.
add_library(procsim::fmt ALIAS fmt::fmt-header-only)
add_library(procsim::json ALIAS nlohmann_json::nlohmann_json)

find_library(WORDNET_LIBRARY wordnet)
find_path(WORDNET_INCLUDE_DIR wn.h)
if(NOT WORDNET_LIBRARY OR NOT WORDNET_INCLUDE_DIR)
  message(FATAL_ERROR "The WordNet C library was not found (Debian: wordnet-dev). Run scripts/setup.sh.")
endif()
add_library(procsim_wordnet INTERFACE)
target_link_libraries(procsim_wordnet INTERFACE ${WORDNET_LIBRARY})
target_include_directories(procsim_wordnet SYSTEM INTERFACE ${WORDNET_INCLUDE_DIR})
add_library(procsim::wordnet ALIAS procsim_wordnet)

# Debian builds cpp-httplib as a library and its header wants the same switches; elsewhere it is a header alone.
pkg_check_modules(HTTPLIB IMPORTED_TARGET cpp-httplib)
add_library(procsim_httplib INTERFACE)
if(HTTPLIB_FOUND)
  target_link_libraries(procsim_httplib INTERFACE PkgConfig::HTTPLIB)
else()
  find_path(HTTPLIB_INCLUDE_DIR httplib.h REQUIRED)
  target_include_directories(procsim_httplib SYSTEM INTERFACE ${HTTPLIB_INCLUDE_DIR})
endif()
add_library(procsim::httplib ALIAS procsim_httplib)

if(PROCSIM_TESTS)
  find_package(GTest REQUIRED)
  include(GoogleTest)
endif()
if(PROCSIM_BENCH)
  find_package(benchmark REQUIRED)
endif()
