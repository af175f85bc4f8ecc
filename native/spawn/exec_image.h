// Everything that execve is given, laid out before the clone: the child may not allocate. Searching PATH is done by
// trying each candidate in the child, after its chdir, so that relative PATH entries mean what they mean to the
// command.
#pragma once

#include <string_view>
#include <vector>

#include "spawn/string_block.h"

namespace quiesce {

class ExecImage {
 public:
  // Borrows the memory of both blocks.
  ExecImage(StringBlock& argv, StringBlock& environment);

  [[nodiscard]] char* const* argv() const { return argv_.data(); }
  [[nodiscard]] char* const* environment() const { return environment_.data(); }
  // Null-terminated list of the files to try, in order.
  [[nodiscard]] char* const* candidates() const { return candidates_.data(); }
  // argv for a text file without an interpreter line: `/bin/sh FILE ARG...`. The child writes FILE into place 1.
  [[nodiscard]] char** shell_argv() { return shell_argv_.data(); }

 private:
  std::vector<char*> argv_;
  std::vector<char*> environment_;
  StringBlock candidate_block_;
  std::vector<char*> candidates_;
  std::vector<char*> shell_argv_;
};

}  // namespace quiesce
