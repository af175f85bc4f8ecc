// A confinement that a child enters by itself between clone and execve: namespaces and a Landlock ruleset that somebody
// has prepared, as descriptors, and what must be true of them in that moment. Who prepares them stands elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <variant>

#include "os/clock.h"
#include "spawn/child_stack.h"
#include "spawn/spawn_request.h"

namespace quiesce {

// The step of a confined start that failed; it crosses the border to JavaScript in words.
enum class ConfineStep : uint8_t {
  kNone,
  kUserNamespace,
  kNetworkNamespace,
  kIpcNamespace,
  kMountNamespace,
  kNullStreams,
  kFreshness,  // ESTALE: the folders inside are no longer those that were asked for
  kKeyring,
  kNoNewPrivileges,
  kLandlock,
  kCapabilities
};

// Of a writable folder, looked at inside the mount namespace.
struct ConfinedRoot {
  const char* path;
  uint64_t inode;
  uint64_t mount;
};

// Everything is borrowed. Every descriptor is at least kFirstFreeDescriptor (spawn/child.h): the child puts its streams
// into their places first.
struct ChildConfinement {
  int user_namespace = -1;
  int network_namespace = -1;  // -1: the host's
  int ipc_namespace = -1;      // -1: the host's
  int mount_namespace = -1;
  int ruleset = -1;
  const ConfinedRoot* roots = nullptr;
  size_t root_count = 0;
  // Taken out of the bounding set. Empty for an ordinary user, who loses all of them at execve anyway.
  const uint8_t* dropped_capabilities = nullptr;
  size_t dropped_capability_count = 0;
};

// Where the confinement of a command comes from. Called on spawner threads, several at a time.
class ConfinementSource {
 public:
  using Acquired = std::variant<std::shared_ptr<const ChildConfinement>, SpawnFailure>;

  ConfinementSource() = default;
  ConfinementSource(const ConfinementSource&) = delete;
  ConfinementSource& operator=(const ConfinementSource&) = delete;
  virtual ~ConfinementSource() = default;

  // One that fits what the host looks like now; prepares it, and blocks until `latest` at most, where there is none. It
  // may be used for as long as the result is held.
  virtual Acquired Acquire(const ChildStack& stack, TimePoint latest) = 0;

  // A child found `confinement` stale: nobody is given it again.
  virtual void Discard(const ChildConfinement& confinement) = 0;
};

// In words, such as "user namespace".
const char* NameOf(ConfineStep step);

}  // namespace quiesce
