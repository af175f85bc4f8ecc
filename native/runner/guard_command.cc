#include "runner/guard_command.h"

#include "runner/arguments.h"
#include "runner/host_guard.h"
#include "runner/report.h"

namespace quiesce {

int RunGuard(char** arguments) {
  const int socket = arguments[0] == nullptr ? -1 : DescriptorOf(arguments[0]);
  if (socket == -1 || arguments[1] != nullptr) return ReportFailure("options", "no descriptor");
  HostGuard(UniqueFd(socket)).Run();
  return 0;
}

}  // namespace quiesce
