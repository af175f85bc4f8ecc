// A ChildPlan that has come from the host, in memory of its own.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "launcher/protocol.h"
#include "os/result.h"
#include "os/unique_fd.h"
#include "spawn/child.h"

namespace quiesce {

class ReceivedStart {
 public:
  // Trusts nothing: EPROTO for whatever does not fit together, and every descriptor is closed then. Descriptors that
  // could be overwritten by a stream of the command are moved out of the way.
  static Result<std::unique_ptr<ReceivedStart>> Decode(std::span<const char> message, std::vector<UniqueFd> fds);

  ReceivedStart(const ReceivedStart&) = delete;
  ReceivedStart& operator=(const ReceivedStart&) = delete;
  ~ReceivedStart() = default;

  // For one start. Valid as long as this object.
  [[nodiscard]] ChildPlan* plan() { return &plan_; }
  [[nodiscard]] int folder() const { return fds_.front().get(); }

  // The child is to set those limits alone that differ from `own`, which it has by itself.
  void LeaveOutLimits(const std::array<rlimit, InheritedSettings::kLimits>& own);

 private:
  ReceivedStart(const StartHeader& header, std::vector<UniqueFd> fds) : header_(header), fds_(std::move(fds)) {}

  [[nodiscard]] bool TakeBody(std::span<const char> rest);
  [[nodiscard]] bool FillTexts();
  void FillDescriptors();
  void FillConfinement();

  const StartHeader header_;
  std::vector<UniqueFd> fds_;
  std::string body_;
  std::vector<char*> argv_;
  std::vector<char*> environment_;
  std::vector<char*> candidates_;
  std::vector<char*> shell_argv_;
  std::vector<ConfinedRoot> roots_;
  InheritedSettings settings_;
  ChildConfinement confinement_;
  ChildPlan plan_;
};

}  // namespace quiesce
