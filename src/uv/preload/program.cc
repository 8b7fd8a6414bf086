#include "uv/preload/program.h"

#include <uv.h>

#include <algorithm>
#include <cstring>

#include "uv/preload/patch.h"

namespace rondo::uv {

namespace {

constexpr const char* kLibrary = "libuv.so.1";
// The versions whose structures and functions are those of this library.
constexpr unsigned kOldestMinor = 44;
constexpr unsigned kNewestMinor = UV_VERSION_MINOR;

// The function of the module, typed as the function of libuv's header with that name.
template <class F>
F* function_of(const Module& module, const char* name, F* /*type*/) {
  const std::optional<Module::Function> found = module.function(name);
  return found ? reinterpret_cast<F*>(found->address) : nullptr;
}

std::string problem_of_version(const Module& module) {
  auto* const version = function_of(module, "uv_version", &uv_version);
  auto* const text = function_of(module, "uv_version_string", &uv_version_string);
  if (version == nullptr) return "";  // A static library without uses of it: the sizes decide.
  const unsigned number = version();
  const unsigned minor = (number >> 8) & 0xFF;
  if (number >> 16 == UV_VERSION_MAJOR && minor >= kOldestMinor && minor <= kNewestMinor) return "";
  const std::string name = text != nullptr ? text() : std::to_string(number);
  return "contains libuv " + name + "; versions 1." + std::to_string(kOldestMinor) + " to 1." +
         std::to_string(kNewestMinor) + " can be replaced";
}

// The program allocates the structures, so ours must not be larger.
std::string problem_of_sizes(const Module& module) {
  auto* const loop_size = function_of(module, "uv_loop_size", &uv_loop_size);
  auto* const handle_size = function_of(module, "uv_handle_size", &uv_handle_size);
  auto* const req_size = function_of(module, "uv_req_size", &uv_req_size);
  if (loop_size == nullptr || handle_size == nullptr || req_size == nullptr) {
    return "contains libuv, but does not export all of its functions";
  }
  std::string name;
  if (loop_size() < sizeof(uv_loop_t)) name = "uv_loop_t";
  for (int type = UV_ASYNC; type < UV_FILE; ++type) {
    const auto handle = static_cast<uv_handle_type>(type);
    if (handle_size(handle) < uv_handle_size(handle)) {
      name = std::string("uv_") + uv_handle_type_name(handle) + "_t";
    }
  }
  for (int type = UV_REQ; type < UV_REQ_TYPE_MAX; ++type) {
    const auto req = static_cast<uv_req_type>(type);
    if (req_size(req) < uv_req_size(req)) name = std::string("uv_") + uv_req_type_name(req) + "_t";
  }
  return name.empty() ? ""
                      : "contains a libuv in which " + name + " is smaller than in libuv 1." +
                            std::to_string(kNewestMinor);
}

std::string replace_in(const Module& module, const std::vector<Module::Function>& functions) {
  std::string problem = problem_of_version(module);
  if (problem.empty()) problem = problem_of_sizes(module);
  if (!problem.empty()) return problem;
  std::vector<Replacement> replacements;
  for (const Module::Function& own : functions) {
    // A function that an older libuv does not have is not called.
    const std::optional<Module::Function> found = module.function(own.name);
    if (!found) continue;
    replacements.push_back(
        {own.name, found->address, found->size, own.address, module.protection(found->address)});
  }
  problem = patch(std::move(replacements), module.begin(), module.end());
  return problem.empty() ? "" : "contains libuv, whose functions cannot be replaced: " + problem;
}

bool is_runtime_of_rondo(const Module& module) {
  return module.path().ends_with("/librondo-code.so");
}

}  // namespace

Outcome take_over(const std::vector<Module>& modules, uintptr_t own) {
  if (std::any_of(modules.begin(), modules.end(), is_runtime_of_rondo)) {
    return {"is Rondo's own runtime, which needs no preparation: run it without 'rondo uv'"};
  }
  const auto ours = std::find_if(modules.begin(), modules.end(),
                                 [own](const Module& each) { return each.contains(own); });
  if (ours == modules.end()) return {"has no list of its libraries"};
  bool uses_libuv = std::any_of(modules.begin(), modules.end(),
                                [](const Module& each) { return each.needs(kLibrary); });
  std::vector<Module::Function> functions;
  for (const Module& module : modules) {
    if (&module == &*ours || !module.function("uv_loop_init") || !module.function("uv_run")) {
      continue;
    }
    if (functions.empty()) functions = ours->functions();
    if (std::string problem = replace_in(module, functions); !problem.empty()) return {problem};
    uses_libuv = true;
  }
  if (uses_libuv) return {};
  const bool loads_libraries = std::any_of(
      modules.begin(), modules.end(),
      [&ours](const Module& each) { return &each != &*ours && each.imports("dlopen"); });
  if (loads_libraries) return {"", true};
  return {
      "does not use libuv: it neither is linked with libuv.so.1 nor contains libuv and exports its "
      "functions, and it loads no libraries while it runs"};
}

}  // namespace rondo::uv
