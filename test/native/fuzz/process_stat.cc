// /proc/PID/stat. First any text, which must only be survived; then a state as the kernel writes it, of a program whose
// name is any bytes.
#include <limits>

#include "fuzz/input.h"
#include "fuzz/targets.h"
#include "range/process_table.h"

namespace quiesce::fuzz {

// Input: the name; its first bytes also choose state and group.
void FuzzProcessStat(std::span<const uint8_t> bytes) {
  const std::string name(Input(bytes).Rest());
  (void)ParseStat(name);  // any answer will do
  Input input(bytes);
  const char state = "RSDZTtXxKWPI"[input.Byte() % 12];
  const auto group =
      static_cast<pid_t>((input.Byte() << 23 | input.Byte() << 12 | input.Byte()) & std::numeric_limits<pid_t>::max());
  const std::string head = "77 (" + name + ") " + state + " ";
  const auto stat = ParseStat(head + "1 " + std::to_string(group) + " 10 0 -1 4194560 0\n");
  Require(stat.has_value(), "a state is read whatever the program's name");
  Require(stat->state == state && stat->group == group, "state and group are those behind the name");
  Require(!ParseStat(head + "1 ").has_value(), "a state without a group is none");
}

}  // namespace quiesce::fuzz
