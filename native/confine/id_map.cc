#include "confine/id_map.h"

#include <fcntl.h>

#include <array>
#include <cerrno>
#include <charconv>

#include "os/file.h"

namespace quiesce {

namespace {

constexpr const char* kStep = "id-map";

// One number at the start of `line` behind spaces, taken away from it.
std::optional<uint32_t> TakeNumber(std::string_view* line) {
  line->remove_prefix(std::min(line->find_first_not_of(' '), line->size()));
  uint32_t number = 0;
  const auto [end, error] = std::from_chars(line->data(), line->data() + line->size(), number);
  if (error != std::errc()) return std::nullopt;
  line->remove_prefix(static_cast<size_t>(end - line->data()));
  return number;
}

std::optional<IdRange> ParseLine(std::string_view line) {
  std::array<uint32_t, 3> numbers{};
  for (uint32_t& number : numbers) {
    const auto taken = TakeNumber(&line);
    if (!taken.has_value()) return std::nullopt;
    number = *taken;
  }
  if (line.find_first_not_of(' ') != std::string_view::npos) return std::nullopt;
  return IdRange{numbers[0], numbers[1], numbers[2]};
}

Result<std::string> FullIdMap(const char* path) {
  auto text = ReadFileAt(AT_FDCWD, path);
  if (!text.ok()) return SysError{text.error().number, kStep, path};
  const auto own = ParseIdMap(text.value());
  if (!own.has_value()) return SysError{EINVAL, kStep, path};
  return IdentityMap(*own);
}

Status Named(const Status& status) {
  if (status.ok()) return status;
  return SysError{status.error().number, kStep, status.error().path};
}

}  // namespace

std::optional<std::vector<IdRange>> ParseIdMap(std::string_view text) {
  std::vector<IdRange> ranges;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const auto range = ParseLine(text.substr(0, end));
    if (!range.has_value()) return std::nullopt;
    ranges.push_back(*range);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return ranges;
}

std::string IdentityMap(const std::vector<IdRange>& own) {
  std::string text;
  for (const IdRange& range : own) {
    const std::string first = std::to_string(range.inside);
    text.append(first).append(" ").append(first).append(" ").append(std::to_string(range.count)).append("\n");
  }
  return text;
}

Result<IdMaps> FullIdMaps() {
  auto uids = FullIdMap("/proc/self/uid_map");
  if (!uids.ok()) return uids.error();
  auto gids = FullIdMap("/proc/self/gid_map");
  if (!gids.ok()) return gids.error();
  return IdMaps{std::move(uids.value()), std::move(gids.value())};
}

Status WriteIdMaps(int process, const IdMaps& maps) {
  Status written = WriteFileAt(process, "uid_map", maps.uids);
  if (written.ok()) written = WriteFileAt(process, "gid_map", maps.gids);
  return Named(written);
}

Status WriteOwnIdMap(uint32_t uid, uint32_t gid) {
  const auto only = [](uint32_t id) { return IdentityMap({{id, id, 1}}); };
  // Whoever could call setgroups could leave a group that denies him something: the kernel wants that given up first.
  Status written = WriteFileAt(AT_FDCWD, "/proc/self/setgroups", "deny");
  if (written.ok()) written = WriteFileAt(AT_FDCWD, "/proc/self/uid_map", only(uid));
  if (written.ok()) written = WriteFileAt(AT_FDCWD, "/proc/self/gid_map", only(gid));
  return Named(written);
}

}  // namespace quiesce
