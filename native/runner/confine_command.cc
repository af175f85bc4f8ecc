#include "runner/confine_command.h"

#include <unistd.h>

#include "confine/confine.h"
#include "confine/step.h"
#include "confine/writable_roots.h"
#include "runner/arguments.h"
#include "runner/descriptors.h"
#include "runner/report.h"

namespace quiesce {

namespace {

int Confine(ConfineArguments read) {
  auto roots = CanonicalRoots(read.policy.writable_roots, read.policy.private_tmp);
  if (!roots.ok()) return ReportFailure(roots.error());
  read.policy.writable_roots = std::move(roots.value());
  auto enforcement = ConfineSelf(read.policy);
  if (!enforcement.ok()) return ReportFailure(enforcement.error());
  if (read.probe) {
    const Status said = WriteText(STDOUT_FILENO, EnforcementLine(enforcement.value()));
    return said.ok() ? 0 : ReportFailure(said.error());
  }
  // Whoever asks for Landlock alone knows; whoever gets it for want of namespaces is told.
  if (!enforcement.value().in_namespaces && !read.policy.landlock_only) {
    (void)WriteText(STDERR_FILENO, EnforcementLine(enforcement.value()));  // it is a notice
  }
  (void)execvp(read.command[0], read.command);
  return ReportFailure(StepError("exec", read.command[0]));
}

}  // namespace

int RunConfine(char** arguments) {
  if (Status kept = KeepStreamsOnly(); !kept.ok()) return ReportFailure(kept.error());
  auto read = ParseConfineArguments(arguments);
  if (const auto* error = std::get_if<ArgumentError>(&read)) {
    return ReportFailure("options", error->reason, error->argument);
  }
  return Confine(std::move(std::get<ConfineArguments>(read)));
}

}  // namespace quiesce
