#include "spawn/exec_image.h"

#include <paths.h>

#include <string>

namespace quiesce {

namespace {

constexpr std::string_view kPathPrefix = "PATH=";

std::string_view FindPath(const std::vector<char*>& environment) {
  for (const char* entry : environment) {
    if (entry != nullptr && std::string_view(entry).starts_with(kPathPrefix)) {
      return std::string_view(entry).substr(kPathPrefix.size());
    }
  }
  return _PATH_DEFPATH;
}

void AddCandidates(std::string_view program, std::string_view path, StringBlock* candidates) {
  while (true) {
    const size_t colon = path.find(':');
    std::string candidate(path.substr(0, colon));
    if (!candidate.empty()) candidate.push_back('/');  // an empty entry is the working folder
    candidate.append(program);
    candidates->Add(candidate);
    if (colon == std::string_view::npos) return;
    path.remove_prefix(colon + 1);
  }
}

}  // namespace

ExecImage::ExecImage(StringBlock& argv, StringBlock& environment)
    : argv_(argv.Pointers()), environment_(environment.Pointers()) {
  const std::string_view program = argv_[0];
  if (program.find('/') != std::string_view::npos) {
    candidate_block_.Add(program);
  } else {
    AddCandidates(program, FindPath(environment_), &candidate_block_);
  }
  candidates_ = candidate_block_.Pointers();
  static char shell[] = _PATH_BSHELL;
  shell_argv_ = {shell, nullptr};
  shell_argv_.insert(shell_argv_.end(), argv_.begin() + 1, argv_.end());
}

}  // namespace quiesce
