#include "support/confinement.h"

#include <doctest/doctest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

namespace quiesce::testing {

Place::Place() : folder_("/tmp/quiesce-confined-XXXXXX") {
  REQUIRE(mkdtemp(folder_.data()) != nullptr);
  REQUIRE(mkdir(workspace().c_str(), 0755) == 0);
}

Place::~Place() { (void)system(("rm -rf " + folder_).c_str()); }  // NOLINT(concurrency-mt-unsafe,cert-env33-c)

void Place::Replace() const {
  REQUIRE(rmdir(workspace().c_str()) == 0);
  REQUIRE(mkdir(workspace().c_str(), 0755) == 0);
}

std::shared_ptr<ConfinementSource> SourceOf(const RuntimeFixture& fixture, const Place& place) {
  auto source =
      fixture.engine->policies->SourceOf(std::string(QUIESCE_RUNNER) + '\0' + "--rw" + '\0' + place.workspace() + '\0');
  REQUIRE(source.ok());
  return source.value();
}

SpawnRequest Confined(const std::string& script, std::shared_ptr<ConfinementSource> source) {
  SpawnRequest request = BashRequest(script);
  request.confinement = std::move(source);
  return request;
}

bool CanConfine() {
  RuntimeFixture fixture;
  const Place place;
  const auto process = fixture.RunToEnd(Confined(":", SourceOf(fixture, place)));
  const auto record = fixture.recorder.Of(*process);
  if (!record.failed.has_value()) return true;
  const char* required = getenv("REQUIRE_FEATURES");  // NOLINT(concurrency-mt-unsafe): nobody sets it
  REQUIRE_MESSAGE((required == nullptr || strcmp(required, "all") != 0), record.failed->path);
  MESSAGE("skipped: " << record.failed->path);
  return false;
}

}  // namespace quiesce::testing
