#include "runner/report.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "os/sys.h"

namespace quiesce {

namespace {

constexpr std::string_view kName = "quiesce-runner: ";

void AppendPrintable(std::string* line, std::string_view text) {
  for (const char c : text) line->push_back(static_cast<unsigned char>(c) < ' ' || c == '\x7f' ? '?' : c);
}

}  // namespace

std::string FailureLine(std::string_view step, std::string_view reason, std::string_view subject) {
  std::string line(kName);
  line.append(step).append(": ").append(reason);
  if (!subject.empty()) AppendPrintable(&line.append(": "), subject);
  return line + '\n';
}

std::string EnforcementLine(const Enforcement& enforcement) {
  std::string line(kName);
  line += enforcement.full() ? "full" : "partial: ";
  for (size_t i = 0; i < enforcement.not_governed.size(); ++i) {
    line.append(i == 0 ? "" : "; ").append(enforcement.not_governed[i]);
  }
  return line + '\n';
}

int ReportFailure(std::string_view step, std::string_view reason, std::string_view subject) {
  (void)WriteText(STDERR_FILENO, FailureLine(step, reason, subject));  // the exit status tells it too
  return kRunnerFailed;
}

int ReportFailure(const SysError& error) {
  return ReportFailure(error.syscall, std::strerror(error.number), error.path);
}

Status WriteText(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = sys::Write(fd, text.data(), text.size());
    if (count == -1) return SysError{errno, "write", {}};
    text.remove_prefix(static_cast<size_t>(count));
  }
  return {};
}

}  // namespace quiesce
