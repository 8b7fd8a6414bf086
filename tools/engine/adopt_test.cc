#include "adopt.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "testing/fixture.h"

namespace engine_tool {
namespace {

namespace fs = std::filesystem;

// A temporary folder with the library in it.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "engine_test.XXXXXX").string();
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    path_ = name;
    fs::copy_file(FIXTURE_CODE, path_ / fs::path(FIXTURE_CODE).filename());
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  // Runs the program with one argument. Returns its output and its exit code.
  std::string run(const Bytes& program) const {
    const fs::path file = path_ / "program";
    {
      std::ofstream out(file, std::ios::binary);
      out.write(reinterpret_cast<const char*>(program.data()),
                static_cast<std::streamsize>(program.size()));
    }
    fs::permissions(file, fs::perms::owner_all);
    std::FILE* const pipe = ::popen((file.string() + " argument 2>&1").c_str(), "r");
    if (pipe == nullptr) return "cannot be started";
    std::string printed;
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) {
      printed += static_cast<char>(c);
    }
    const int status = ::pclose(pipe);
    return printed + (WIFEXITED(status) ? std::to_string(WEXITSTATUS(status)) : "killed");
  }

 private:
  fs::path path_;
};

Report report_of(Bytes bytes, const Changes& changes = ordinary()) {
  const Outcome<Report> outcome = adopt(bytes, changes);
  const auto* const report = std::get_if<Report>(&outcome);
  if (report != nullptr) return *report;
  ADD_FAILURE() << std::get_if<Error>(&outcome)->what;
  return {};
}

TEST(Adopt, HostRunsItsOwnMainBefore) {
  EXPECT_EQ(Folder().run(host()), "the host's main, with environment\n9");
}

// The library checks which symbols it finds, and that it shares `environ` with libc.
TEST(Adopt, AdoptedHostRunsTheLibrarysMain) {
  EXPECT_EQ(Folder().run(adopted(host())), "the library's main\n0");
}

TEST(Adopt, LibrariesComeFirstInTheirOrderAndAreFoundByTheRunpath) {
  const Bytes before = host();
  Changes changes = ordinary();
  changes.needed = {"libsanitizer.so", "libengine_fixture_code.so"};
  changes.runpath = "$ORIGIN:/usr/lib/sanitizer";
  const Bytes after = adopted(before, changes);
  EXPECT_EQ(after.size(), before.size());
  std::vector<std::string> expected = changes.needed;
  for (const std::string& name : Loaded(before).strings(DT_NEEDED)) expected.push_back(name);
  EXPECT_EQ(Loaded(after).strings(DT_NEEDED), expected);
  EXPECT_EQ(Loaded(after).strings(DT_RUNPATH), std::vector<std::string>{changes.runpath});
}

TEST(Adopt, OnlyV8sAndListedSymbolsAndCopiedDataStayVisible) {
  const Bytes after = adopted(host());
  const Loaded loaded(after);
  for (const auto& [name, symbol] : loaded.exported) {
    EXPECT_TRUE(is_v8_name(name) || name == "wanted_function" || name.ends_with("environ")) << name;
  }
  for (const char* const name : {"_ZN2v87versionEv", "wanted_function", "environ", "__environ"}) {
    EXPECT_TRUE(loaded.exported.contains(name)) << name;
  }
}

TEST(Adopt, KeptAndHiddenAreCounted) {
  const Bytes before = host();
  const Report first = report_of(before);
  const Bytes after = adopted(before);
  EXPECT_TRUE(first.is_changed);
  EXPECT_EQ(first.kept, Loaded(after).exported.size());
  EXPECT_EQ(first.kept + first.hidden, Loaded(before).exported.size());
  const Report again = report_of(after);
  EXPECT_FALSE(again.is_changed);
  EXPECT_EQ(again.kept, first.kept);
  EXPECT_EQ(again.hidden, 0u);
}

TEST(Adopt, SecondRunChangesNoByte) {
  const Bytes once = adopted(host());
  EXPECT_EQ(adopted(once), once);
}

// Names share their ends: `a_function` is the tail of `hidden_a_function`. New strings may only use
// the space of the hidden part.
TEST(Adopt, NewStringsLeaveKeptNamesAlone) {
  Changes changes = ordinary();
  changes.exports = {"a_function", "wanted_function"};
  const Bytes before = host();
  // Until there is no room: the last length that fits fills all gaps.
  for (std::size_t length = 1; length < 400; ++length) {
    changes.needed = {std::string(length, 'n')};
    changes.runpath = std::string(length / 2 + 1, 'r');
    const std::string refused = refusal(before, changes);
    if (!refused.empty()) {
      EXPECT_EQ(refused, "there is no room for the names of libraries");
      EXPECT_GT(length, 40u);
      return;
    }
    const Bytes after = adopted(before, changes);
    const Loaded old(before);
    const Loaded loaded(after);
    ASSERT_EQ(loaded.strings(DT_NEEDED)[0], changes.needed[0]);
    ASSERT_EQ(loaded.strings(DT_RUNPATH)[0], changes.runpath);
    for (const auto& [name, symbol] : loaded.exported) {
      ASSERT_TRUE(old.exported.contains(name)) << length << ": " << name;
      ASSERT_EQ(symbol.st_value, old.exported.at(name).st_value) << length << ": " << name;
    }
    ASSERT_TRUE(loaded.exported.contains("a_function")) << length;
    const auto libraries = old.strings(DT_NEEDED);
    for (std::size_t i = 0; i < libraries.size(); ++i) {
      ASSERT_EQ(loaded.strings(DT_NEEDED)[i + 1], libraries[i]);
    }
  }
  FAIL() << "there was always room";
}

TEST(Adopt, VersionsOfLibrariesKeepTheirNames) {
  const auto versions = [](const Bytes& bytes) {
    const Loaded loaded(bytes);
    std::vector<std::string> names;
    std::size_t at = loaded.offset_of(loaded.tag(DT_VERNEED));
    for (std::uint64_t left = loaded.tag(DT_VERNEEDNUM); left > 0; --left) {
      Elf64_Verneed library;
      std::memcpy(&library, bytes.data() + at, sizeof library);
      names.push_back(loaded.name_at(library.vn_file));
      std::size_t inner = at + library.vn_aux;
      for (unsigned i = 0; i < library.vn_cnt; ++i) {
        Elf64_Vernaux version;
        std::memcpy(&version, bytes.data() + inner, sizeof version);
        names.push_back(loaded.name_at(version.vna_name));
        inner += version.vna_next;
      }
      at += library.vn_next;
    }
    return names;
  };
  EXPECT_FALSE(versions(host()).empty());
  EXPECT_EQ(versions(adopted(host())), versions(host()));
}

TEST(Adopt, HiddenSymbolsLeaveTheTables) {
  const Bytes before = host();
  const Bytes after = adopted(before);
  const Loaded old(before);
  const Loaded loaded(after);
  std::size_t named = 0;
  for (const Elf64_Sym& symbol : loaded.symbols) named += symbol.st_name != 0 ? 1 : 0;
  // Imports and exports, one after the other.
  for (std::size_t i = 1; i <= named; ++i) EXPECT_NE(loaded.symbols[i].st_name, 0u) << i;
  const std::string names(
      reinterpret_cast<const char*>(after.data()) + loaded.offset_of(loaded.tag(DT_STRTAB)),
      loaded.tag(DT_STRSZ));
  EXPECT_EQ(names.find("hidden_function"), std::string::npos);
  EXPECT_NE(names.find("wanted_function"), std::string::npos);
}

TEST(Adopt, ListedConstructorsAreNotRun) {
  const Folder folder;
  const Bytes before = read_file(FIXTURE_CONSTRUCTORS);
  EXPECT_EQ(folder.run(adopted(before)), "first second the library's main\n0");
  Changes changes = ordinary();
  changes.constructors = {"first_constructor"};
  const Bytes once = adopted(before, changes);
  EXPECT_EQ(folder.run(once), "second the library's main\n0");
  EXPECT_EQ(adopted(once, changes), once);
}

TEST(AdoptRefuses, ConstructorsThatAreNotThere) {
  Changes changes = ordinary();
  changes.constructors = {"missing_constructor"};
  EXPECT_EQ(refusal(read_file(FIXTURE_CONSTRUCTORS), changes),
            "it has no constructor missing_constructor");
  EXPECT_EQ(refusal(host(), changes), "it has no constructor missing_constructor");
}

TEST(AdoptRefuses, OtherLibrariesForAnAdoptedProgram) {
  const Bytes once = adopted(host());
  Changes other = ordinary();
  other.needed = {"libother.so"};
  EXPECT_EQ(refusal(once, other), "it is adopted already, for other libraries");
  other.needed = {"libother.so", "libengine_fixture_code.so"};
  EXPECT_EQ(refusal(once, other), "it loads libengine_fixture_code.so already, but not first");
  other = ordinary();
  other.runpath = "/usr/lib";
  EXPECT_EQ(refusal(once, other), "it has a search path for libraries already");
}

TEST(AdoptRefuses, LibraryThatIsLoadedLater) {
  Changes changes = ordinary();
  changes.needed = {"libc.so.6"};
  const std::string last = Loaded(host()).strings(DT_NEEDED).back();
  EXPECT_EQ(last, "libc.so.6");
  if (Loaded(host()).strings(DT_NEEDED).size() == 1) GTEST_SKIP() << "it is the first one";
  EXPECT_EQ(refusal(host(), changes), "it loads libc.so.6 already, but not first");
}

TEST(AdoptRefuses, ExportsThatAreNotThere) {
  Changes changes = ordinary();
  changes.exports.insert("missing_function");
  EXPECT_EQ(refusal(host(), changes), "it does not export missing_function");
  changes.exports = {"printf"};  // Used, but not defined.
  EXPECT_EQ(refusal(host(), changes), "it does not export printf");
  changes.exports = {"hidden_function"};
  EXPECT_EQ(refusal(adopted(host()), changes), "it does not export hidden_function");
}

// Two symbols of one name, such as two versions of a function, do not replace a missing one.
TEST(AdoptRefuses, MissingExportBesideOneThatIsThereTwice) {
  const Bytes sound = host();
  const Loaded loaded(sound);
  const std::size_t symbols = loaded.offset_of(loaded.tag(DT_SYMTAB));
  Bytes twice;
  for (std::size_t i = 0; i < loaded.symbols.size(); ++i) {
    Elf64_Sym symbol = loaded.symbols[i];
    if (loaded.name_at(symbol.st_name) != "hidden_function") continue;
    symbol.st_name = loaded.exported.at("wanted_function").st_name;
    twice = with(sound, symbols + i * sizeof symbol, symbol);
  }
  ASSERT_FALSE(twice.empty());
  EXPECT_EQ(refusal(twice), "");
  Changes changes = ordinary();
  changes.exports.insert("missing_function");
  EXPECT_EQ(refusal(twice, changes), "it does not export missing_function");
}

TEST(AdoptRefuses, DynamicSectionWithoutSpareEntries) {
  EXPECT_EQ(refusal(read_file(FIXTURE_FULL)), "its dynamic section has no room for more entries");
  // GNU ld leaves five spare entries: four libraries and the search path fit, five libraries do
  // not.
  Changes changes = ordinary();
  changes.needed = {"a", "b", "c", "d"};
  EXPECT_EQ(refusal(host(), changes), "");
  changes.needed.emplace_back("e");
  EXPECT_EQ(refusal(host(), changes), "its dynamic section has no room for more entries");
}

TEST(AdoptRefuses, TablesThatCannotBe) {
  const Bytes sound = host();
  const Loaded loaded(sound);
  const auto with_tag = [&](std::int64_t tag, std::uint64_t value) {
    return with(sound, loaded.entry_of(tag) + offsetof(Elf64_Dyn, d_un), value);
  };
  const auto without_tag = [&](std::int64_t tag) {
    return with(sound, loaded.entry_of(tag), std::int64_t{DT_DEBUG});
  };
  const std::string no_table =
      "no symbol table of the GNU kind: this is no program that exports its symbols";
  for (const std::int64_t tag : {DT_SYMTAB, DT_STRTAB, DT_STRSZ, DT_GNU_HASH}) {
    EXPECT_EQ(refusal(without_tag(tag)), no_table) << tag;
  }
  EXPECT_EQ(refusal(with_tag(DT_GNU_HASH, 8)), no_table);
  const std::string outside = "its symbol table lies outside the loaded segments";
  EXPECT_EQ(refusal(with_tag(DT_SYMTAB, 8)), outside);
  EXPECT_EQ(refusal(with_tag(DT_STRTAB, 8)), outside);
  EXPECT_EQ(refusal(with_tag(DT_STRSZ, ~std::uint64_t{0})), outside);
  EXPECT_EQ(refusal(with_tag(DT_STRSZ, 0)), outside);
  const std::string overlap = "its symbol table overlaps other tables";
  EXPECT_EQ(refusal(with_tag(DT_STRTAB, loaded.tag(DT_SYMTAB))), overlap);
  EXPECT_EQ(refusal(with_tag(DT_SYMTAB, loaded.tag(DT_GNU_HASH))), overlap);
  EXPECT_EQ(refusal(with_tag(DT_GNU_HASH, loaded.tag(DT_STRTAB) - 16)), no_table);
  EXPECT_EQ(refusal(with_tag(DT_RELA, loaded.tag(DT_SYMTAB))), overlap);
  EXPECT_EQ(refusal(with_tag(DT_RELA, 8)), "its relocations lie outside its tables");
  EXPECT_EQ(refusal(with_tag(DT_VERNEED, 8)), "its version tables lie outside the loaded segments");
  EXPECT_EQ(refusal(with_tag(DT_NEEDED, ~std::uint64_t{0})),
            "a name lies outside the table of names");
  EXPECT_EQ(refusal(with_tag(DT_STRSZ, loaded.tag(DT_STRSZ) - 1)), "its names have no end");
}

TEST(IsV8Name, MatchesFunctionsDataAndCompilerGeneratedNames) {
  for (const char* const name :
       {"_ZN2v87Isolate3NewERKNS0_12CreateParamsE", "_ZNK2v85Value8IsStringEv", "_ZTVN2v84TaskE",
        "_ZTIN2v84TaskE", "_ZTSN2v84TaskE", "_ZGVN2v88internal1xE", "_ZThn16_N2v84Task3RunEv",
        "_ZTv0_n24_N2v84Task3RunEv", "_ZZN2v88internal1fEvE1x", "_ZNKR2v85Value1fEv",
        "_ZN12v8_inspector11V8Inspector6createEv", "_ZN5cppgc4Heap6CreateEv"}) {
    EXPECT_TRUE(is_v8_name(name)) << name;
  }
  for (const char* const name :
       {"", "_Z", "_ZN", "_ZN4node5startEv", "_ZN4node3useERKN2v88PlatformE", "_ZN6not_v81fEv",
        "v8", "2v8", "uv_run", "napi_create_object", "SSL_new", "_ZTV", "_ZTh", "_ZThn16_",
        "_ZNSt6vectorIPN2v84TaskEE4sizeEv"}) {
    EXPECT_FALSE(is_v8_name(name)) << name;
  }
}

}  // namespace
}  // namespace engine_tool
