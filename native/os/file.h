// Small files of kernel file systems, addressed below a borrowed folder descriptor, and the making of pipes.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "os/result.h"
#include "os/unique_fd.h"

namespace quiesce {

// The whole content. `folder` may be AT_FDCWD.
Result<std::string> ReadFileAt(int folder, const char* path);

// One write of the whole text, as kernel control files want it.
[[nodiscard]] Status WriteFileAt(int folder, const char* path, std::string_view text);

// The whole content of an open seekable file, from its start.
Result<std::string> ReadAgain(int fd);

// A file without a name, open at its start, whose content can no longer change.
Result<UniqueFd> MakeSealedFile(std::string_view content);

struct Pipe {
  UniqueFd reader;
  UniqueFd writer;
};

// Both ends are close-on-exec and blocking.
Result<Pipe> MakePipe();

[[nodiscard]] Status SetBlocking(int fd);
[[nodiscard]] Status SetNonBlocking(int fd);

}  // namespace quiesce
