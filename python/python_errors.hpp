#pragma once

#include <exception>

#include <nanobind/nanobind.h>

#include "data/base/error.hpp"

namespace procsim::python {

// Error and UsageError become procsim.Error and procsim.UsageError, with the message as it is. Called by
// every module once.
inline void translate_errors() {
  nanobind::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    const auto raise = [](const char* name, const char* message) {
      const auto type = nanobind::module_::import_("procsim._errors").attr(name);
      PyErr_SetString(type.ptr(), message);
    };
    try {
      std::rethrow_exception(thrown);
    } catch (const UsageError& error) {
      raise("UsageError", error.what());
    } catch (const Error& error) {
      raise("Error", error.what());
    }
  });
}

}  // namespace procsim::python
