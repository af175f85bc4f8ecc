#include "prepared/policy_order.h"

#include <cerrno>
#include <string_view>

namespace quiesce {

namespace {

constexpr std::string_view kWritable = "--rw";
constexpr std::string_view kHidden = "--hide";

}  // namespace

Result<PolicyOrder> ReadPolicyOrder(std::string key) {
  if (key.size() < 2 || key.back() != '\0' || key.front() == '\0') return SysError{EINVAL, "prepare", {}};
  PolicyOrder order;
  std::vector<std::string>* next = nullptr;
  bool is_program = true;
  for (size_t at = 0; at < key.size();) {
    const std::string_view word = key.c_str() + at;
    at += word.size() + 1;
    if (is_program) {
      is_program = false;
    } else if (next != nullptr) {
      next->emplace_back(word);
      next = nullptr;
    } else if (word == kWritable) {
      next = &order.writable;
    } else if (word == kHidden) {
      next = &order.hidden;
    }
  }
  if (next != nullptr) return SysError{EINVAL, "prepare", {}};
  order.key = std::move(key);
  return order;
}

}  // namespace quiesce
