// The user namespace, in which nothing counts outside, and with it a namespace of mounts, one of System V IPC, whose
// objects no file rule protects, and, if asked for, one of the network.
#pragma once

#include "os/result.h"

namespace quiesce {

// The step that failed when nothing has changed yet, so that the caller may do without namespaces.
inline constexpr const char* kNamespacesStep = "namespaces";

// Moves this single-threaded process into new namespaces. Started by root, every id stays what it is; otherwise only
// the own ids do. Needs /proc. After any other failure than that of kNamespacesStep the process is of no use.
[[nodiscard]] Status EnterNamespaces(bool with_network);

}  // namespace quiesce
