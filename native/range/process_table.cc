#include "range/process_table.h"

#include <dirent.h>
#include <fcntl.h>

#include <cerrno>
#include <charconv>
#include <memory>
#include <string>

#include "os/file.h"

namespace quiesce {

namespace {

bool IsZombie(char state) { return state == 'Z' || state == 'X' || state == 'x'; }

template <typename Number>
bool ParseNumber(std::string_view text, Number* number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *number);
  return error == std::errc{} && end == text.data() + text.size();
}

}  // namespace

std::optional<ProcessStat> ParseStat(std::string_view text) {
  // "PID (NAME) STATE PPID PGRP ...": the name ends at the last parenthesis, whatever it contains.
  const size_t name_end = text.rfind(") ");
  if (name_end == std::string_view::npos) return std::nullopt;
  std::string_view rest = text.substr(name_end + 2);
  ProcessStat stat;
  if (rest.size() < 2 || rest[1] != ' ') return std::nullopt;
  stat.state = rest[0];
  rest.remove_prefix(2);
  const size_t parent_end = rest.find(' ');
  if (parent_end == std::string_view::npos) return std::nullopt;
  rest.remove_prefix(parent_end + 1);
  if (!ParseNumber(rest.substr(0, rest.find(' ')), &stat.group)) return std::nullopt;
  return stat;
}

bool IsRunningMember(pid_t pid, pid_t group) {
  const std::string path = "/proc/" + std::to_string(pid) + "/stat";
  auto text = ReadFileAt(AT_FDCWD, path.c_str());
  if (!text.ok()) return false;  // gone meanwhile
  const auto stat = ParseStat(text.value());
  return stat.has_value() && stat->group == group && !IsZombie(stat->state);
}

Result<pid_t> FindRunningMember(pid_t group) {
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir("/proc"), closedir);
  if (folder == nullptr) return SysError{errno, "opendir", "/proc"};
  while (const dirent* entry = readdir(folder.get())) {  // NOLINT(concurrency-mt-unsafe): the stream is ours alone
    pid_t pid = 0;
    if (ParseNumber(std::string_view(entry->d_name), &pid) && IsRunningMember(pid, group)) return pid;
  }
  return pid_t{0};
}

}  // namespace quiesce
