#include "support/tidy.h"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <utility>

namespace quiesce::testing {

namespace {

std::set<std::string> DescriptorsOfThisProcess() {
  std::set<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code gone;  // the descriptor of this very listing
    const auto target = std::filesystem::read_symlink(entry.path(), gone);
    if (!gone && target.string().find("/proc/") == std::string::npos) {
      found.insert(entry.path().filename().string() + " -> " + target.string());
    }
  }
  return found;
}

// Only this process's: others may work in the same folder.
std::set<std::string> SubfoldersOf(const std::string& folder) {
  std::set<std::string> found;
  if (folder.empty()) return found;
  const std::string prefix = "quiesce-" + std::to_string(getpid()) + "-";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(prefix)) found.insert(name);
  }
  return found;
}

}  // namespace

Tidy::Tidy(std::string folder)
    : folder_(std::move(folder)), entries_(SubfoldersOf(folder_)), descriptors_(DescriptorsOfThisProcess()) {}

Tidy::~Tidy() {
  CHECK(DescriptorsOfThisProcess() == descriptors_);
  CHECK(SubfoldersOf(folder_) == entries_);
  siginfo_t info{};
  CHECK(waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == -1);
  CHECK(errno == ECHILD);
}

}  // namespace quiesce::testing
