#include "supervisor/arguments.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace quiesce::supervisor {

namespace {

class Line {
 public:
  explicit Line(std::vector<std::string> words) : words_(std::move(words)) {
    for (std::string& word : words_) pointers_.push_back(word.data());
    pointers_.push_back(nullptr);
  }

  bool Parse(Arguments* parsed) {
    return ParseArguments(static_cast<int>(words_.size()), pointers_.data(), environment_, parsed);
  }

 private:
  std::vector<std::string> words_;
  std::vector<char*> pointers_;
  char* environment_[1] = {nullptr};
};

std::vector<std::string> ToList(char* const* pointers) {
  std::vector<std::string> list;
  for (; *pointers != nullptr; ++pointers) list.emplace_back(*pointers);
  return list;
}

}  // namespace

TEST_CASE("the arguments of a supervisor become the lists that execve takes") {
  Line line({"quiesce-supervisor", "supervise", "leave", "-17", "2", "/a/x", "/b/x", "-", "-", "x", "", "2"});
  Arguments parsed;
  REQUIRE(line.Parse(&parsed));
  CHECK(parsed.leave_on_host_crash);
  CHECK(std::string(parsed.oom_score) == "-17");
  CHECK(ToList(parsed.command.candidates) == std::vector<std::string>{"/a/x", "/b/x"});
  CHECK(ToList(parsed.command.argv) == std::vector<std::string>{"x", "", "2"});
  CHECK(ToList(parsed.command.shell_argv) == std::vector<std::string>{"/bin/sh", "x", "", "2"});
}

TEST_CASE("a supervisor is told whether its command has a terminal") {
  Arguments parsed;
  Line with({"quiesce-supervisor", "supervise-terminal", "end", "0", "1", "/a/x", "-", "-", "x"});
  REQUIRE(with.Parse(&parsed));
  CHECK(parsed.command.terminal);
  Line without({"quiesce-supervisor", "supervise", "end", "0", "1", "/a/x", "-", "-", "x"});
  REQUIRE(without.Parse(&parsed));
  CHECK_FALSE(parsed.command.terminal);
}

TEST_CASE("arguments that are not those of a supervisor are refused") {
  const std::vector<std::vector<std::string>> wrong = {
      {},
      {"quiesce-supervisor"},
      {"quiesce-supervisor", "supervise", "end", "0", "1"},
      {"quiesce-supervisor", "other", "end", "0", "1", "/a", "-", "-", "a"},
      {"quiesce-supervisor", "supervise", "end", "0", "0", "-", "-", "a"},
      {"quiesce-supervisor", "supervise", "end", "0", "", "/a", "-", "-", "a"},
      {"quiesce-supervisor", "supervise", "end", "0", "1x", "/a", "-", "-", "a"},
      {"quiesce-supervisor", "supervise", "end", "0", "2", "/a", "-", "-", "a"},
      {"quiesce-supervisor", "supervise", "end", "0", "99999999999999999999", "/a", "-", "-", "a"},
  };
  for (const auto& words : wrong) {
    Arguments parsed;
    CHECK_FALSE(Line(words).Parse(&parsed));
  }
}

}  // namespace quiesce::supervisor
