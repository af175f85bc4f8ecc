#include "runner/arguments.h"

#include <doctest/doctest.h>

#include <initializer_list>
#include <string>
#include <vector>

namespace quiesce {

namespace {

class CommandLine {
 public:
  CommandLine(std::initializer_list<const char*> words) : words_(words.begin(), words.end()) {
    for (std::string& word : words_) pointers_.push_back(word.data());
    pointers_.push_back(nullptr);
  }
  // A copy would point into the strings of another.
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  std::variant<ConfineArguments, ArgumentError> Parse() { return ParseConfineArguments(pointers_.data()); }
  char** At(size_t index) { return pointers_.data() + index; }

 private:
  std::vector<std::string> words_;
  std::vector<char*> pointers_;
};

}  // namespace

TEST_CASE("every option is read, and the program is what follows the dashes, options of its own included") {
  CommandLine line{"--rw",      "/a",   "--hide",        "/k", "--rw", "/b",
                   "--network", "none", "--private-tmp", "--", "ls",   "--rw"};
  auto parsed = line.Parse();
  REQUIRE(std::holds_alternative<ConfineArguments>(parsed));
  const auto& read = std::get<ConfineArguments>(parsed);
  CHECK(read.policy.writable_roots == std::vector<std::string>{"/a", "/b"});
  CHECK(read.policy.hidden_paths == std::vector<std::string>{"/k"});
  CHECK(read.policy.no_network);
  CHECK(read.policy.private_tmp);
  CHECK_FALSE(read.policy.landlock_only);
  CHECK_FALSE(read.probe);
  CHECK(read.command == line.At(10));
}

TEST_CASE("a probe takes the same options and no program") {
  CommandLine line{"--probe", "--landlock-only", "--rw", "--"};
  auto parsed = line.Parse();
  REQUIRE(std::holds_alternative<ConfineArguments>(parsed));
  const auto& read = std::get<ConfineArguments>(parsed);
  CHECK(read.probe);
  CHECK(read.policy.landlock_only);
  CHECK(read.policy.writable_roots == std::vector<std::string>{"--"});
  CHECK(read.command == nullptr);
}

TEST_CASE("a wrong command line is told by its reason and the argument") {
  struct Case {
    std::initializer_list<const char*> words;
    ArgumentError error;
  };
  for (const auto& [words, error] : std::initializer_list<Case>{
           {{}, {"missing program", "-- PROGRAM"}},
           {{"--"}, {"missing program", "-- PROGRAM"}},
           {{"ls"}, {"unknown option", "ls"}},
           {{"--rw=/a", "--", "ls"}, {"unknown option", "--rw=/a"}},
           {{"--rw"}, {"missing value of", "--rw"}},
           {{"--hide", "", "--", "ls"}, {"empty path", "--hide"}},
           {{"--network", "host", "--", "ls"}, {"unknown network", "host"}},
           {{"--network", "", "--", "ls"}, {"unknown network", "--network"}},
           {{"--probe", "--", "ls"}, {"no program goes with", "--probe"}},
       }) {
    CommandLine line(words);
    const auto parsed = line.Parse();
    REQUIRE(std::holds_alternative<ArgumentError>(parsed));
    CHECK(std::get<ArgumentError>(parsed) == error);
  }
}

}  // namespace quiesce
