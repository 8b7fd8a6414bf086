// Runs a fuzz target without a fuzzer, as an ordinary test:
//
//   TARGET [--runs=N] [--seed=S] [FILE or FOLDER ...]
//
// replays the files, then feeds N pseudo-random inputs, half of them mutated copies of the files.
// The same seed gives the same inputs. An input that crashes the program is saved as `crash-TARGET`
// in the current folder; pass that file to reproduce it.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "fuzz/input.h"

// NOLINTBEGIN(readability-identifier-naming): the names are libFuzzer's and the sanitizers'.
extern "C" {
[[gnu::weak]] int LLVMFuzzerInitialize(int* argc,
                                       char*** argv);  // Optional: a target may define it.
[[gnu::weak]] void __sanitizer_set_death_callback(void (*callback)());
}
// NOLINTEND(readability-identifier-naming)

namespace {

namespace fs = std::filesystem;
using Input = std::vector<uint8_t>;

constexpr size_t kLongestInput = 4096;  // libFuzzer's default.

// The input that is being run: global, since crash handlers take no arguments.
const Input* g_current = nullptr;
char g_crash_file[256] = "crash";

// Only async-signal-safe calls.
void leave_input_behind() {
  if (g_current == nullptr) return;
  const int fd = ::open(g_crash_file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  bool is_kept = fd >= 0;
  if (is_kept) {
    const ssize_t written = ::write(fd, g_current->data(), g_current->size());
    is_kept = written == static_cast<ssize_t>(g_current->size());
    ::close(fd);
  }
  const char* what = is_kept ? "fuzz: the input is kept in " : "fuzz: cannot write the input to ";
  (void)!::write(STDERR_FILENO, what, std::strlen(what));
  (void)!::write(STDERR_FILENO, g_crash_file, std::strlen(g_crash_file));
  (void)!::write(STDERR_FILENO, "\n", 1);
  g_current = nullptr;
}

void on_fatal_signal(int signal) {
  leave_input_behind();
  std::signal(signal, SIG_DFL);
  ::raise(signal);
}

void run(const Input& input) {
  g_current = &input;
  LLVMFuzzerTestOneInput(input.data(), input.size());
  g_current = nullptr;
}

bool read_file(const fs::path& path, Input& input) {
  std::FILE* file = std::fopen(path.c_str(), "rbe");
  if (file == nullptr) return false;
  input.clear();
  uint8_t block[4096];
  while (const size_t count = std::fread(block, 1, sizeof(block), file)) {
    input.insert(input.end(), block, block + count);
  }
  const bool is_read = std::ferror(file) == 0;
  std::fclose(file);
  return is_read;
}

// Sorted by name, so that every run is the same.
bool collect(const fs::path& path, std::vector<fs::path>& files) {
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    files.push_back(path);
    return true;
  }
  const size_t first = files.size();
  for (fs::recursive_directory_iterator entry(path, error), end; entry != end;
       entry.increment(error)) {
    if (error) break;
    if (entry->is_regular_file(error)) files.push_back(entry->path());
  }
  std::sort(files.begin() + static_cast<ptrdiff_t>(first), files.end());
  return !error;
}

Input random_input(std::mt19937_64& random) {
  Input input(random() % (random() % 16 == 0 ? kLongestInput : 256));
  for (uint8_t& byte : input) byte = static_cast<uint8_t>(random());
  return input;
}

Input bent_input(std::mt19937_64& random, const std::vector<Input>& corpus) {
  Input input = corpus[random() % corpus.size()];
  const Input& other = corpus[random() % corpus.size()];
  if (random() % 2 == 0) input.insert(input.end(), other.begin(), other.end());
  if (input.size() > kLongestInput) input.resize(kLongestInput);
  for (uint64_t changes = random() % 8 + 1; changes > 0 && !input.empty(); --changes) {
    const auto place = input.begin() + static_cast<ptrdiff_t>(random() % input.size());
    switch (random() % 4) {
      case 0: *place = static_cast<uint8_t>(random()); break;
      case 1: *place = static_cast<uint8_t>(*place ^ 1U << random() % 8); break;
      case 2: input.insert(place, static_cast<uint8_t>(random())); break;
      default: input.erase(place); break;
    }
  }
  return input;
}

bool parse_number(std::string_view text, std::string_view option, uint64_t& number) {
  if (text.substr(0, option.size()) != option) return false;
  text.remove_prefix(option.size());
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

int main(int argc, char** argv) {
  const std::string name = fs::path(argv[0]).filename().string();
  uint64_t runs = 0;
  uint64_t seed = 1;
  std::vector<fs::path> files;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (parse_number(argument, "--runs=", runs) || parse_number(argument, "--seed=", seed))
      continue;
    if (argument.substr(0, 1) == "-" || !collect(argument, files)) {
      std::fprintf(stderr, "%s: what is '%s'?\nusage: %s [--runs=N] [--seed=S] [FILE|FOLDER ...]\n",
                   name.c_str(), argv[i], name.c_str());
      return 2;
    }
  }
  std::snprintf(g_crash_file, sizeof(g_crash_file), "crash-%s", name.c_str());
  for (int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE})
    std::signal(signal, on_fatal_signal);
  if (__sanitizer_set_death_callback != nullptr) __sanitizer_set_death_callback(leave_input_behind);
  if (LLVMFuzzerInitialize != nullptr) LLVMFuzzerInitialize(&argc, &argv);

  std::vector<Input> corpus;
  for (const fs::path& file : files) {
    Input input;
    if (!read_file(file, input)) {
      std::fprintf(stderr, "%s: cannot read %s\n", name.c_str(), file.c_str());
      return 1;
    }
    run(input);
    corpus.push_back(std::move(input));
  }
  std::mt19937_64 random(seed);
  for (uint64_t i = 0; i < runs; ++i) {
    run(i % 2 == 0 || corpus.empty() ? random_input(random) : bent_input(random, corpus));
  }
  std::printf("%s: %zu files and %llu inputs of seed %llu passed\n", name.c_str(), files.size(),
              static_cast<unsigned long long>(runs), static_cast<unsigned long long>(seed));
  return 0;
}
