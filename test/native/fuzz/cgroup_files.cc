// cgroup.events and cgroup.procs: any text against a second reading, line by line and digit by digit.
#include <limits>
#include <optional>
#include <vector>

#include "fuzz/input.h"
#include "fuzz/targets.h"
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

}  // namespace

// Input: the text of the file, which is read as both.
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
}

}  // namespace quiesce::fuzz
