// How the runner speaks: one line, which starts with its name, in one write.
#pragma once

#include <string>
#include <string_view>

#include "confine/confine.h"
#include "os/result.h"

namespace quiesce {

// The exit status of every failure of the runner's own; the command has not run.
inline constexpr int kRunnerFailed = 125;

// `quiesce-runner: <step>: <reason>[: <subject>]` and a newline; control characters become `?`.
std::string FailureLine(std::string_view step, std::string_view reason, std::string_view subject);

// `quiesce-runner: full`, or `quiesce-runner: partial: ` and what is not governed, divided by `; `, and a newline.
std::string EnforcementLine(const Enforcement& enforcement);

// Writes the failure to standard error and gives kRunnerFailed.
int ReportFailure(std::string_view step, std::string_view reason, std::string_view subject = {});
int ReportFailure(const SysError& error);

// Writes the whole text.
[[nodiscard]] Status WriteText(int fd, std::string_view text);

}  // namespace quiesce
