// The id maps of user namespaces: what /proc/PID/uid_map and gid_map hold and take.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "os/result.h"

namespace quiesce {

struct IdRange {
  uint32_t inside = 0;
  uint32_t outside = 0;
  uint32_t count = 0;

  bool operator==(const IdRange&) const = default;
};

// The lines of an id map; nothing when one of them is not three numbers.
std::optional<std::vector<IdRange>> ParseIdMap(std::string_view text);

// The map for a namespace below one with the map `own`, in which every id stays what it is. Its outer ids are those of
// the namespace above, so the outer ids of `own` do not matter.
std::string IdentityMap(const std::vector<IdRange>& own);

struct IdMaps {
  std::string uids;
  std::string gids;
};

// Every id of this process's namespace.
Result<IdMaps> FullIdMaps();

// `process` is a descriptor of a folder /proc/PID, whose process has just entered a new user namespace. To be called
// from outside it, with the capabilities SETUID, SETGID and SETFCAP.
[[nodiscard]] Status WriteIdMaps(int process, const IdMaps& maps);

// Maps nothing but the ids that this process had outside the user namespace that it has just entered.
[[nodiscard]] Status WriteOwnIdMap(uint32_t uid, uint32_t gid);

}  // namespace quiesce
