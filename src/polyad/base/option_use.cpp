#include <polyad/base/error.hpp>
#include <polyad/base/option_use.hpp>

#include <algorithm>
#include <vector>

namespace polyad {

namespace {

bool claims(const OptionUser& user, std::string_view option, std::string_view group) {
  return std::ranges::any_of(user.uses, [&](std::string_view name) { return name == option || name == group; });
}

// "method gcp-full or cp-als, finish lbfgsb": words of one field together.
std::string names_of(const std::vector<OptionUser>& users) {
  std::string text;
  std::string words;
  for (std::size_t i = 0; i < users.size(); ++i) {
    words += users[i].word;
    const bool last = i + 1 == users.size() || users[i + 1].field != users[i].field;
    if (!last) {
      const bool last_but_one = i + 2 == users.size() || users[i + 2].field != users[i].field;
      words += last_but_one ? " or " : ", ";
      continue;
    }
    text += fmt::format("{}{}", text.empty() ? "" : ", ", option_name(users[i].field, words));
    words.clear();
  }
  return text;
}

}  // namespace

bool is_used(std::string_view option, std::string_view group, std::span<const OptionUser> users) {
  bool claimed = false;
  for (const OptionUser& user : users) {
    if (!claims(user, option, group)) continue;
    if (user.chosen) return true;
    claimed = true;
  }
  return !claimed;
}

void refuse_unused(std::string_view option, std::string_view group, std::span<const OptionUser> users) {
  std::vector<OptionUser> chosen;
  std::vector<OptionUser> owners;
  for (const OptionUser& user : users) {
    if (user.chosen) chosen.push_back(user);
    if (claims(user, option, group)) owners.push_back(user);
  }
  fail(ErrorKind::usage, "`{}` is not used by {}, only by {}; leave it out", option, names_of(chosen),
       names_of(owners));
}

}  // namespace polyad
