#include "addon/event_batch.h"

#include <algorithm>
#include <array>
#include <limits>

namespace quiesce {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

using Facts = std::array<double, kEventFields - kFirstFactField>;

template <typename Number>
double NumberOrNone(const std::optional<Number>& number) {
  return number.has_value() ? static_cast<double>(*number) : kNone;
}

struct KindOf {
  EventKind operator()(const Failed& /*failed*/) const { return EventKind::kFailed; }
  EventKind operator()(const Settlement& /*settlement*/) const { return EventKind::kSettled; }
  EventKind operator()(const Quiescent& /*quiescent*/) const { return EventKind::kQuiescent; }
  EventKind operator()(const Unobservable& /*unobservable*/) const { return EventKind::kUnobservable; }
  EventKind operator()(const Unguarded& /*unguarded*/) const { return EventKind::kUnguarded; }
  EventKind operator()(const Started& /*started*/) const { return EventKind::kStarted; }
  EventKind operator()(const Readable& /*readable*/) const { return EventKind::kReadable; }
  EventKind operator()(const Written& /*written*/) const { return EventKind::kWritten; }
};

struct FactsOf {
  Facts operator()(const Failed& failed) const {
    return {static_cast<double>(failed.failure.stage), static_cast<double>(failed.failure.error)};
  }
  Facts operator()(const Settlement& settlement) const {
    const ExitFacts& exit = settlement.exit;
    const TreeUsage& tree = settlement.tree;
    return {NumberOrNone(exit.exit_code),
            NumberOrNone(exit.signal_number),
            static_cast<double>(settlement.cause),
            settlement.wall_ms,
            NumberOrNone(exit.user_ms),
            NumberOrNone(exit.system_ms),
            NumberOrNone(exit.max_rss_bytes),
            settlement.quiescent ? 1.0 : 0.0,
            NumberOrNone(tree.cpu_ms),
            NumberOrNone(tree.memory_peak_bytes),
            NumberOrNone(tree.pids_peak),
            NumberOrNone(tree.oom_kills)};
  }
  Facts operator()(const Quiescent& /*quiescent*/) const { return {}; }
  Facts operator()(const Unobservable& /*unobservable*/) const { return {}; }
  Facts operator()(const Started& /*started*/) const { return {}; }
  Facts operator()(const Readable& /*readable*/) const { return {}; }
  Facts operator()(const Written& written) const { return {static_cast<double>(written.count)}; }
  Facts operator()(const Unguarded& unguarded) const { return {kNone, static_cast<double>(unguarded.error.number)}; }
};

}  // namespace

Napi::Float64Array ToBatch(Napi::Env env, const std::vector<Event>& events) {
  Napi::Float64Array batch = Napi::Float64Array::New(env, events.size() * kEventFields);
  if (batch.IsEmpty()) return batch;  // the environment is being terminated
  double* to = batch.Data();
  for (const Event& event : events) {
    to[kProcessIdField] = static_cast<double>(event.process_id);
    to[kKindField] = static_cast<double>(std::visit(KindOf{}, event.what));
    const Facts facts = std::visit(FactsOf{}, event.what);
    std::copy(facts.begin(), facts.end(), to + kFirstFactField);
    to += kEventFields;
  }
  return batch;
}

Napi::Object ToObject(Napi::Env env, const SysError& error) {
  Napi::Object object = Napi::Object::New(env);
  object["errno"] = error.number;
  object["syscall"] = error.syscall;
  object["path"] = error.path;
  return object;
}

}  // namespace quiesce
