// Commands in confinements that the real runner prepares.
#pragma once

#include <memory>
#include <string>

#include "spawn/confinement.h"
#include "support/command.h"

namespace quiesce::testing {

// A folder with a workspace in it, gone at the end.
class Place {
 public:
  Place();
  ~Place();
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

  [[nodiscard]] const std::string& folder() const { return folder_; }
  [[nodiscard]] std::string workspace() const { return folder_ + "/workspace"; }
  // Deletes the workspace, which is empty, and makes it again.
  void Replace() const;

 private:
  std::string folder_;
};

// The confinement in which the workspace of `place` can be written to.
std::shared_ptr<ConfinementSource> SourceOf(const RuntimeFixture& fixture, const Place& place);

// As BashRequest.
SpawnRequest Confined(const std::string& script, std::shared_ptr<ConfinementSource> source);

// False on a host that has no namespaces, or no Landlock (an error when REQUIRE_FEATURES=all).
bool CanConfine();

}  // namespace quiesce::testing
