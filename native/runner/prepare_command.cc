#include "runner/prepare_command.h"

#include "runner/arguments.h"
#include "runner/prepare.h"
#include "runner/report.h"

namespace quiesce {

int RunPrepare(char** arguments) {
  auto read = ParseConfineArguments(arguments);
  if (const auto* error = std::get_if<ArgumentError>(&read)) {
    return ReportFailure("options", error->reason, error->argument);
  }
  const auto& asked = std::get<ConfineArguments>(read);
  if (asked.probe) return ReportFailure("options", "unknown option", "--probe");
  const int socket = DescriptorOf(asked.command[0]);
  if (socket == -1 || asked.command[1] != nullptr) return ReportFailure("options", "no descriptor", asked.command[0]);
  const Status handed = PrepareAndHandOver(asked.policy, socket);
  return handed.ok() ? 0 : ReportFailure(handed.error());
}

}  // namespace quiesce
