# Where each dependency is found. docs/dependencies.md says why it is there.
#
# Arrow/Parquet and LibTorch: first the ordinary way (a distribution's packages, CMAKE_PREFIX_PATH), then the private
# Python environment that scripts/setup.sh makes.

set(PROCSIM_ENV "$ENV{PROCSIM_ENV}" CACHE PATH "Python environment made by scripts/setup.sh")
if(NOT PROCSIM_ENV)
  set(PROCSIM_ENV ${CMAKE_SOURCE_DIR}/build/env)
endif()
file(GLOB env_site_packages ${PROCSIM_ENV}/lib/python3.*/site-packages)
if(PROCSIM_WHEEL AND NOT env_site_packages)
  # `pip install .` has put the build's requirements into an environment of its own.
  find_package(Python REQUIRED COMPONENTS Interpreter)
  execute_process(
    COMMAND ${Python_EXECUTABLE} -c "import importlib.util as i, os; print(os.path.dirname(os.path.dirname(i.find_spec('pyarrow').origin)))"
    OUTPUT_VARIABLE env_site_packages
    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
endif()

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
  # Loaded where somebody reads s3:// (data/files/remote_copy.cpp), so nothing links it.
  file(GLOB s3_library ${pyarrow_dir}/libarrow_s3.so.*)
  list(APPEND PROCSIM_BUNDLED_LIBRARIES ${s3_library})
  message(STATUS "Arrow: ${pyarrow_dir}")
endif()
add_library(procsim::parquet ALIAS procsim_parquet)

# --- LibTorch -----------------------------------------------------------------------------------------------------
# procsim::torch, only for train/. Headers come in as SYSTEM: they raise no warnings of ours. The wheel's own CMake
# package is left alone: where the wheel was built for CUDA it stops unless the CUDA toolkit is installed, and the
# package index gives that wheel to most machines.
if(PROCSIM_TRAIN)
  add_library(procsim_torch INTERFACE)
  find_package(Torch CONFIG QUIET)
  if(Torch_FOUND)
    target_link_libraries(procsim_torch INTERFACE torch torch_cpu c10)
    separate_arguments(torch_flags UNIX_COMMAND "${TORCH_CXX_FLAGS}")
    target_compile_options(procsim_torch INTERFACE ${torch_flags})
    message(STATUS "LibTorch ${Torch_VERSION}: ${Torch_DIR}")
  else()
    set(torch_dir ${env_site_packages}/torch)
    if(NOT EXISTS ${torch_dir}/lib/libtorch.so)
      message(FATAL_ERROR "LibTorch was not found. Run scripts/setup.sh, point CMAKE_PREFIX_PATH at it, or build the "
                          "other programs alone with -DPROCSIM_TRAIN=OFF.")
    endif()
    target_include_directories(procsim_torch SYSTEM INTERFACE ${torch_dir}/include
                                                              ${torch_dir}/include/torch/csrc/api/include)
    target_compile_definitions(procsim_torch INTERFACE USE_DISTRIBUTED USE_C10D_GLOO USE_RPC USE_TENSORPIPE)
    # libtorch.so is a shell that brings the CPU's and, where there is one, the GPU's library along.
    target_link_libraries(
      procsim_torch INTERFACE "-Wl,--no-as-needed,${torch_dir}/lib/libtorch.so,--as-needed"
                              ${torch_dir}/lib/libtorch_cpu.so ${torch_dir}/lib/libc10.so)
    if(EXISTS ${torch_dir}/lib/libtorch_cuda.so)
      # Its gigabytes of CUDA libraries stay where they are; an installed program finds them there.
      target_link_options(procsim_torch INTERFACE -Wl,--allow-shlib-undefined)
      list(APPEND CMAKE_INSTALL_RPATH ${torch_dir}/lib)
      # NCCL between GPUs, where its headers and CUDA's are there too; several processes work without it.
      find_path(NCCL_INCLUDE_DIR nccl.h HINTS ${env_site_packages}/nvidia/nccl/include)
      find_path(CUDA_INCLUDE_DIR cuda_runtime_api.h HINTS ${env_site_packages}/nvidia/cuda_runtime/include)
      if(NCCL_INCLUDE_DIR AND CUDA_INCLUDE_DIR)
        set(PROCSIM_NCCL ON)
        add_library(procsim_nccl INTERFACE)
        target_include_directories(procsim_nccl SYSTEM INTERFACE ${NCCL_INCLUDE_DIR} ${CUDA_INCLUDE_DIR})
        target_link_libraries(procsim_nccl INTERFACE ${torch_dir}/lib/libtorch_cuda.so)
        add_library(procsim::nccl ALIAS procsim_nccl)
      endif()
    else()
      file(GLOB torch_libraries ${torch_dir}/lib/libtorch.so ${torch_dir}/lib/libtorch_cpu.so
           ${torch_dir}/lib/libc10.so ${torch_dir}/lib/libgomp*)
      list(APPEND PROCSIM_BUNDLED_LIBRARIES ${torch_libraries})
    endif()
    message(STATUS "LibTorch: ${torch_dir}")
  endif()
  add_library(procsim::torch ALIAS procsim_torch)
endif()

# --- Others from the distribution -------------------------------------------------------------------------------
find_package(SQLite3 REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(PNG REQUIRED)
find_package(JPEG REQUIRED)
pkg_check_modules(MATIO REQUIRED IMPORTED_TARGET matio)
pkg_check_modules(UTF8PROC REQUIRED IMPORTED_TARGET libutf8proc)
find_package(Boost REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)

# Compiled, it halves the time that a source takes. The torch wheel carries its own, newer fmt headers and no library:
# sources that see them take fmt as headers alone.
add_library(procsim::fmt ALIAS fmt::fmt)
add_library(procsim::fmt_beside_torch ALIAS fmt::fmt-header-only)
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
