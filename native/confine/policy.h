// What one command may do, as plain data. Without a writable root nothing of the file system can be written, but for
// devices such as /dev/null, /dev/shm and a process's own files in /proc.
#pragma once

#include <string>
#include <vector>

namespace quiesce {

struct ConfinePolicy {
  std::vector<std::string> writable_roots;  // folders or files that exist; canonical after CanonicalRoots
  std::vector<std::string> hidden_paths;    // covered by something empty; one that does not exist is left out
  bool no_network = false;                  // a network namespace of its own: nothing but loopback
  bool private_tmp = false;                 // an empty /tmp that goes away with the command
  bool landlock_only = false;               // no namespaces, even where there could be some

  // What Landlock alone cannot do. The name of the step that would be missing, or null.
  [[nodiscard]] const char* NeedsNamespaces() const {
    if (!hidden_paths.empty()) return "hide";
    if (no_network) return "network";
    return private_tmp ? "private-tmp" : nullptr;
  }
};

}  // namespace quiesce
