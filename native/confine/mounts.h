// Mounts as the steps use them: copied, changed and put somewhere. Each call names the step that it belongs to.
#pragma once

#include <string>

#include "confine/mount_calls.h"
#include "os/result.h"
#include "os/unique_fd.h"

namespace quiesce {

enum class Depth { kOneMount, kWholeTree };

// A copy of what is mounted at `path`, not yet visible anywhere.
Result<UniqueFd> CopyTree(const char* step, const std::string& path, Depth depth);

// Changes a copy.
[[nodiscard]] Status SetTree(const char* step, const UniqueFd& tree, const sys::MountAttributes& attributes);

// Changes what is mounted at `path`.
[[nodiscard]] Status SetMounted(const char* step, const std::string& path, Depth depth,
                                const sys::MountAttributes& attributes);

// Mounts a copy over `path`, which exists.
[[nodiscard]] Status AttachTree(const char* step, UniqueFd tree, const std::string& path);

// Mounts a new file system over `path`; `flags` are those of mount(2).
[[nodiscard]] Status MountFresh(const char* step, const char* type, const std::string& path, unsigned flags,
                                const char* options);

}  // namespace quiesce
