#include <polyad/base/simd_target.hpp>

#include <polyad/base/fields.hpp>

#include <dlfcn.h>
#include <hwy/targets.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <utility>

namespace polyad {

namespace {

constexpr std::array all_targets = {SimdTarget::portable, SimdTarget::scalar, SimdTarget::sse4, SimdTarget::avx2,
                                    SimdTarget::avx512};

// Highway's bits for a target; plain code has none, and is what Highway falls back on.
std::int64_t highway_bits(SimdTarget target) {
  switch (target) {
    case SimdTarget::portable:
    case SimdTarget::scalar:
      return 0;
    case SimdTarget::sse4:
      return HWY_SSE4;
    case SimdTarget::avx2:
      return HWY_AVX2;
    case SimdTarget::avx512:
      return HWY_AVX3;
  }
  return 0;
}

bool supported(SimdTarget target) {
  // What the CPU has, whatever was forced before.
  static const std::int64_t cpu = hwy::SupportedTargets();
  return highway_bits(target) == 0 || (cpu & highway_bits(target)) != 0;
}

SimdTarget best_target() {
  return supported_simd_targets().back();
}

// -1: not chosen yet.
std::atomic<int> chosen = -1;

void use(SimdTarget target) {
  std::int64_t bits = 0;
  for (const SimdTarget t : all_targets) {
    if (t <= target && supported(t)) bits |= highway_bits(t);
  }
  hwy::GetChosenTarget().Update(bits);
  chosen = static_cast<int>(target);
}

void check_supported(SimdTarget target, std::string_view who) {
  if (supported(target)) return;
  fail(ErrorKind::usage, "{}: this CPU has no {}; the best it has is {}", who, word_of(target), word_of(best_target()));
}

SimdTarget target_from_environment() {
  const char* const text = std::getenv("POLYAD_SIMD");  // NOLINT(concurrency-mt-unsafe): nothing here sets it
  if (text == nullptr || *text == '\0') return best_target();
  SimdTarget target{};
  parse_value("POLYAD_SIMD", text, target);
  check_supported(target, "POLYAD_SIMD");
  return target;
}

}  // namespace

std::vector<SimdTarget> supported_simd_targets() {
  std::vector<SimdTarget> targets;
  for (const SimdTarget t : all_targets) {
    if (supported(t)) targets.push_back(t);
  }
  return targets;
}

SimdTarget simd_target() {
  const int now = chosen.load(std::memory_order_acquire);
  if (now >= 0) return static_cast<SimdTarget>(now);
  static std::once_flag once;
  std::call_once(once, [] { use(target_from_environment()); });
  return static_cast<SimdTarget>(chosen.load());
}

void force_simd_target(std::optional<SimdTarget> target) {
  simd_target();
  if (target) check_supported(*target, "simd target");
  use(target.value_or(best_target()));
}

namespace {

std::mutex users_mutex;
std::size_t users = 0;
SimdTarget before_users{};  // to be in use again when the last one has gone

}  // namespace

SimdUse::SimdUse(std::optional<SimdTarget> wanted) {
  const SimdTarget now = simd_target();
  const std::lock_guard lock(users_mutex);
  if (wanted) check_supported(*wanted, option_name("simd"));
  if (users > 0 && wanted && *wanted != simd_target()) {
    fail(ErrorKind::usage, "{}: {} is asked for while another fit of this program runs with {}; let that end first",
         option_name("simd"), word_of(*wanted), word_of(simd_target()));
  }
  if (users == 0) before_users = now;
  ++users;
  if (wanted && *wanted != now) use(*wanted);
}

SimdUse::~SimdUse() {
  const std::lock_guard lock(users_mutex);
  if (--users == 0 && simd_target() != before_users) use(before_users);
}

std::string blas_by_cpu() {
  for (const auto& [symbol, name] : {std::pair("openblas_get_config", "OpenBLAS"), std::pair("MKL_Get_Version", "MKL"),
                                     std::pair("bli_info_get_version_str", "BLIS")}) {
    if (dlsym(RTLD_DEFAULT, symbol) == nullptr) continue;
    const bool fixed = std::string_view(name) == "OpenBLAS" && std::getenv("OPENBLAS_CORETYPE") != nullptr;  // NOLINT
    if (!fixed) return name;
  }
  return "";
}

}  // namespace polyad
