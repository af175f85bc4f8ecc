// Reads the spawn request of src/native/binding.ts. TypeScript has checked every value; this only converts.
#pragma once

#include <napi.h>

#include <array>
#include <optional>

#include "spawn/spawn_request.h"

namespace quiesce {

// The host's ends of the raw streams, to become streams of Node.
struct RawStreams {
  UniqueFd input;
  UniqueFd output;
  UniqueFd error;
  UniqueFd control;
};

struct ConvertedRequest {
  SpawnRequest request;
  RawStreams raw;
  std::optional<SpawnFailure> failure;  // a raw stream could not be made
};

ConvertedRequest ConvertRequest(const Napi::Object& object);

}  // namespace quiesce
