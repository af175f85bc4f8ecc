// quiesce-runner: what must happen in a fresh process, as one small program with a sub-command for each.
#include <array>
#include <string_view>

#include "runner/confine_command.h"
#include "runner/guard_command.h"
#include "runner/launch_command.h"
#include "runner/prepare_command.h"
#include "runner/report.h"

namespace {

struct SubCommand {
  std::string_view name;
  int (*run)(char** arguments);
};

constexpr std::array kSubCommands = {
    SubCommand{"confine", quiesce::RunConfine},
    SubCommand{"guard", quiesce::RunGuard},
    SubCommand{"launch", quiesce::RunLaunch},
    SubCommand{"prepare", quiesce::RunPrepare},
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return quiesce::ReportFailure("options", "missing sub-command");
  for (const SubCommand& command : kSubCommands) {
    if (command.name == argv[1]) return command.run(argv + 2);
  }
  return quiesce::ReportFailure("options", "unknown sub-command", argv[1]);
}
