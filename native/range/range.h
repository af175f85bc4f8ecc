// How the processes of one command are held together. One object for each command; made by a RangeSource before the
// clone, used on the reactor thread afterwards. Once a range has been seen empty nothing may be signalled through it
// again.
#pragma once

#include <sys/types.h>

#include <cerrno>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "os/result.h"
#include "os/unique_fd.h"
#include "range/exit_facts.h"
#include "range/tree_usage.h"
#include "spawn/starter.h"

namespace quiesce {

// The numbers are part of the native API (src/native/binding.ts).
enum class RangeKind : uint8_t { kCgroup = 0, kGroup = 1, kSupervisor = 2 };

// Becomes ready when the range should be looked at again. The descriptor is borrowed and stays open until the next
// look.
struct RangeWatch {
  int fd = -1;  // -1: nothing announces a change, the range must be polled
  uint32_t events = 0;
};

class Range : public Starter {
 public:
  [[nodiscard]] virtual RangeKind kind() const = 0;

  // Tells who leads the range, as Start gave it. `pidfd` is borrowed and stays open for the life of the range; -1 where
  // the command is not a child of this process.
  virtual void Started(pid_t pid, int pidfd) = 0;

  // Readable when TakeExit is worth a try. Borrowed.
  [[nodiscard]] virtual int exit_fd() const = 0;

  // How the direct command ended; nothing while it runs. Asked until it answers, then never again.
  virtual std::optional<ExitFacts> TakeExit() = 0;

  // Sends `signal_number` to every member, then SIGCONT unless it is SIGKILL: a stopped process could not obey.
  virtual void SignalAll(int signal_number) = 0;

  // SIGKILL to every member, newborn ones included where the kernel can.
  virtual void KillAll() = 0;

  // Whether no member is left that still runs. Called only after the direct command has been reaped. An error means
  // that the range cannot be observed any more.
  virtual Result<bool> IsEmpty() = 0;

  // What its processes have used since the start.
  virtual TreeUsage ReadUsage() { return {}; }

  // What to wait for after IsEmpty() said false.
  [[nodiscard]] virtual RangeWatch watch() const = 0;
};

// What a source has made outside the process, for a guardian to end when this process is gone: a cgroup folder and the
// one above it.
struct HeldFolder {
  UniqueFd parent;
  UniqueFd folder;
  std::string name;
};

// Makes ranges of one kind. Any thread.
class RangeSource {
 public:
  RangeSource() = default;
  RangeSource(const RangeSource&) = delete;
  RangeSource& operator=(const RangeSource&) = delete;
  virtual ~RangeSource() = default;

  virtual Result<std::unique_ptr<Range>> Acquire() = 0;

  using Limited = std::variant<std::unique_ptr<Range>, SpawnFailure>;

  // A range whose processes are together held to `limits`, of which there is at least one. The failure has the stage
  // kLimits where that cannot be done.
  virtual Limited AcquireLimited(const RangeLimits& limits) {
    return SpawnFailure{SpawnStage::kLimits, ENOTSUP, {}, NameOf(limits.first())};
  }

  // Takes back a range that was seen empty, or whose command never started.
  virtual void Release(std::unique_ptr<Range> range) = 0;

  // Gives up what is only kept for later ranges: the descriptors of this process have run out.
  virtual void Spare() {}

  // SIGKILL to the members of all ranges at once, those included that are only being started. Claims nothing.
  virtual void KillAll() {}

  // Nothing if there is nothing to guard, or somebody else guards it.
  virtual std::optional<HeldFolder> Held() { return std::nullopt; }
  // Another number when Held() has something else to tell; 0 as long as that is nothing.
  [[nodiscard]] virtual unsigned held_version() const { return 0; }

  // Ends and removes what sources of hosts that were killed have left. Blocks.
  virtual void Sweep() {}

  // Removes whatever the source keeps outside the process. Every range has been released by then.
  virtual void Close() {}
};

}  // namespace quiesce
