#include "problems/helpers.hpp"

#include <polyad/base/json_fields.hpp>

namespace polyad {
namespace {

TEST(ProblemOptionsList, FollowsTheKinds) {
  const auto words = words_of(ProblemKind{});
  ASSERT_EQ(words.size(), std::variant_size_v<ProblemOptions>);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const ProblemOptions options = default_options(static_cast<ProblemKind>(i));
    EXPECT_EQ(options.index(), i);
    std::visit(
        [&](const auto& chosen) {
          EXPECT_EQ(static_cast<std::size_t>(chosen.kind), i);
          EXPECT_FALSE(chosen.help.empty());
          validate_fields(chosen);
        },
        options);
  }
}

TEST(ProblemOptionsList, FieldsGoThroughJson) {
  BinaryOptions options;
  fields_from_json(Json::parse(R"({"shape": "5x6", "rho-low": 0.1, "seed": 9})"), options);
  EXPECT_EQ(options.shape, "5x6");
  EXPECT_EQ(options.rho_low, 0.1);
  EXPECT_EQ(fields_to_json(options)["seed"], 9);
  const Problem p = make_problem(options);
  EXPECT_EQ(p.tensor.space(), IndexSpace({5, 6}));
  EXPECT_EQ(p.describe.rfind("binary 5 x 6", 0), 0u) << p.describe;
}

}  // namespace
}  // namespace polyad
