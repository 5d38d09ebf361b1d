#pragma once
// Which choice uses which options. A method, sampler, schedule or update rule lists the options that only some of its kind
// use; one that is given although nothing chosen uses it is refused with the names of those that do, never ignored.
// "Given" means: other than the default.

#include <polyad/base/fields.hpp>

#include <span>
#include <string>
#include <string_view>

namespace polyad {

/// Something that can be chosen: sampler strata with the options it uses, each the name of a field or the title of a whole
/// group.
struct OptionUser {
  std::string_view field;
  std::string_view word;
  std::span<const std::string_view> uses;
  bool chosen = false;
};

/// Whether one of the chosen uses the option, or none of all these claims it.
bool is_used(std::string_view option, std::string_view group, std::span<const OptionUser> users);
/// "ridge is not used by method gcp-full, only by method cp-als; leave it out".
[[noreturn]] void refuse_unused(std::string_view option, std::string_view group, std::span<const OptionUser> users);

/// A usage error where a field of this group differs from `standard` and is not used.
template <class Group>
void refuse_unused_fields(std::string_view title, const Group& given, const Group& standard,
                          std::span<const OptionUser> users) {
  for_each_field<Group>([&](const auto& f) {
    if (given.*f.member == standard.*f.member || is_used(f.name, title, users)) return;
    refuse_unused(f.name, title, users);
  });
}

/// Sets fields that are not used to their standard.
template <class Group>
void reset_unused_fields(std::string_view title, Group& options, const Group& standard,
                         std::span<const OptionUser> users) {
  for_each_field<Group>([&](const auto& f) {
    if (!is_used(f.name, title, users)) options.*f.member = standard.*f.member;
  });
}

}  // namespace polyad
