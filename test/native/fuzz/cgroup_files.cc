// cgroup.events, cgroup.procs and files of counters: any text against a second reading, line by line and digit by
// digit.
#include <limits>
#include <optional>
#include <vector>

#include "fuzz/input.h"
#include "fuzz/targets.h"
#include "range/cgroup_control.h"
#include "range/cgroup_folder.h"

namespace quiesce::fuzz {

namespace {

std::vector<std::string> LinesOf(std::string_view text) {
  std::vector<std::string> lines(1);
  for (const char character : text) {
    if (character == '\n') {
      lines.emplace_back();
    } else {
      lines.back().push_back(character);
    }
  }
  return lines;
}

// The number that a line starts with; nothing where there is none or it is no pid_t.
std::optional<pid_t> LeadingNumber(const std::string& line) {
  const bool negative = line.starts_with('-');
  int64_t number = 0;
  size_t at = negative ? 1 : 0;
  const size_t first = at;
  for (; at < line.size() && line[at] >= '0' && line[at] <= '9'; ++at) {
    number = std::min(number * 10 + (line[at] - '0'), int64_t{1} << 40);
  }
  if (negative) number = -number;
  if (at == first || number > std::numeric_limits<pid_t>::max() || number < std::numeric_limits<pid_t>::min())
    return {};
  return static_cast<pid_t>(number);
}

// The digits behind "oom_kill ", if the line begins so and they are a number of 64 bits.
std::optional<uint64_t> CountIn(const std::string& line) {
  constexpr std::string_view kBefore = "oom_kill ";
  uint64_t count = 0;
  size_t at = kBefore.size();
  for (; at < line.size() && line[at] >= '0' && line[at] <= '9'; ++at) {
    if (__builtin_mul_overflow(count, uint64_t{10}, &count)) return {};
    if (__builtin_add_overflow(count, static_cast<uint64_t>(line[at] - '0'), &count)) return {};
  }
  if (at == kBefore.size()) return {};
  return count;
}

// Of the first line with that key.
std::optional<uint64_t> FirstCount(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    if (line.starts_with("oom_kill ")) return CountIn(line);
  }
  return {};
}

}  // namespace

// Input: the text of the file, which is read as each of them.
void FuzzCgroupFiles(std::span<const uint8_t> bytes) {
  const std::string text(Input(bytes).Rest());
  std::vector<pid_t> pids;
  CgroupEvents events;
  for (const std::string& line : LinesOf(text)) {
    if (const auto pid = LeadingNumber(line); pid.has_value()) pids.push_back(*pid);
    events.populated |= line == "populated 1";
    events.frozen |= line == "frozen 1";
  }
  Require(ParsePids(text) == pids, "cgroup.procs gives the number of each line, in order");
  const CgroupEvents parsed = ParseCgroupEvents(text);
  Require(parsed.populated == events.populated, "a cgroup is populated if a line says exactly that");
  Require(parsed.frozen == events.frozen, "a cgroup is frozen if a line says exactly that");
  Require(FindCount(text, "oom_kill") == FirstCount(LinesOf(text)), "a count is that behind its key");
}

}  // namespace quiesce::fuzz
