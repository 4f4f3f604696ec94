# cmake -DROOT=… -DSOURCE=… -P CommitSource.cmake: what procsim_commit compiles.
set(commit "")
if(EXISTS ${ROOT}/.git)
  execute_process(
    COMMAND git -C ${ROOT} rev-parse --short=7 HEAD
    OUTPUT_VARIABLE commit
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
file(
  WRITE ${SOURCE}
  "#include \"tools/train/shared/build_commit.hpp\"\n\nnamespace procsim::tools {\n\n"
  "std::string_view build_commit() { return \"${commit}\"; }\n\n}  // namespace procsim::tools\n")
