// New data meet a model by label: in any order of modes and labels the same cells, and one line for what does not fit.

#include <polyad/apply/join.hpp>
#include <polyad/base/error.hpp>
#include <polyad/tensor/tensor.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace polyad {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Labels model_labels({{"day", {"mon", "tue"}}, {"hour", {"8", "9", "10"}}, {"place", {"A", "B"}}});
const std::vector<std::uint64_t> model_extents = {2, 3, 2};
const ModelSpace model = {model_labels, model_extents};

struct Event {
  std::string day, hour, place;
  double count;
};

// A tensor of events whose labels stand in the order of the lists, and whose modes in that of `order` (of day, hour, place).
Tensor events(const std::vector<Event>& list, std::vector<std::vector<std::string>> labels,
              std::vector<std::size_t> order = {0, 1, 2}, Unlisted unlisted = Unlisted::zero) {
  const std::vector<std::string> names = {"day", "hour", "place"};
  std::vector<ModeLabels> modes;
  std::vector<std::uint64_t> extents;
  for (const std::size_t k : order) {
    modes.push_back({names[k], labels[k]});
    extents.push_back(labels[k].size());
  }
  Records records(3);
  for (const Event& event : list) {
    const std::string* words[] = {&event.day, &event.hour, &event.place};
    Index index[3];
    for (std::size_t at = 0; at < 3; ++at) {
      const auto& entries = labels[order[at]];
      index[at] = static_cast<Index>(std::ranges::find(entries, *words[order[at]]) - entries.begin());
    }
    records.append(index, event.count);
  }
  return {SparseTensor(IndexSpace(extents), std::move(records), unlisted), Labels(modes)};
}

double value(const Tensor& tensor, std::vector<Index> index) {
  const std::uint32_t at = tensor.sparse()->find(index.data());
  return at == CellSet::absent ? 0.0 : tensor.sparse()->records().value(at);
}

std::string message_of(const Tensor& data, NewLabels where, const JoinOptions& options = {}) {
  try {
    join(model, data, where, options);
  } catch (const Error& e) {
    return std::string(e.what());
  }
  return "no error";
}

TEST(Join, FindsCellsByLabelInAnyOrderOfModesAndLabels) {
  const std::vector<Event> list = {{"wed", "9", "B", 4}, {"thu", "8", "A", 2}, {"wed", "10", "A", 7}};
  const Tensor plain = events(list, {{"wed", "thu"}, {"8", "9", "10"}, {"A", "B"}});
  const Tensor mixed = events(list, {{"wed", "thu"}, {"10", "9", "8"}, {"B", "A"}}, {2, 0, 1});
  for (const Tensor& data : {plain, mixed}) {
    const Joined joined = join(model, data, NewLabels::in_one_mode);
    EXPECT_EQ(joined.free_mode, 0u);
    EXPECT_EQ(joined.tensor.space(), IndexSpace({2, 3, 2}));
    EXPECT_EQ(value(joined.tensor, {0, 1, 1}), 4);
    EXPECT_EQ(value(joined.tensor, {1, 0, 0}), 2);
    EXPECT_EQ(value(joined.tensor, {0, 2, 0}), 7);
    EXPECT_EQ(joined.tensor.sparse()->listed(), 3u);
    EXPECT_THAT(joined.tensor.labels().mode(0).entries, ElementsAre("wed", "thu"));
    EXPECT_THAT(joined.tensor.labels().mode(1).entries, ElementsAre("8", "9", "10"));
    EXPECT_THAT(joined.model_row[0], ElementsAre(no_row, no_row));
    EXPECT_THAT(joined.model_row[1], ElementsAre(0, 1, 2));
  }
}

TEST(Join, LabelsThatTheDataLackAreZerosOrMissing) {
  const std::vector<Event> list = {{"wed", "9", "A", 4}};
  const Joined sparse = join(model, events(list, {{"wed"}, {"9"}, {"A"}}), NewLabels::in_one_mode);
  EXPECT_EQ(sparse.tensor.space(), IndexSpace({1, 3, 2}));
  EXPECT_EQ(sparse.tensor.observed(), 6);  // five zeros
  const Tensor dense(DenseTensor(IndexSpace({1, 1, 1}), AlignedVector<double>{4.0}),
                     Labels({{"day", {"wed"}}, {"hour", {"9"}}, {"place", {"A"}}}));
  const Joined filled = join(model, dense, NewLabels::in_one_mode);
  EXPECT_EQ(filled.tensor.observed(), 1);
  EXPECT_EQ(filled.tensor.dense()->value(filled.tensor.dense()->position(std::vector<Index>{0, 1, 0})), 4);
  EXPECT_THAT(filled.remarks, ::testing::Contains(HasSubstr("hour: 2 of the model's labels are not in the data")));
}

TEST(Join, WeightsAndMissingCellsComeAlong) {
  Records records(3, true), missing(3);
  const Index a[3] = {0, 0, 0}, b[3] = {0, 1, 0};
  records.append(a, 5, 0.25);
  missing.append(b, 0);
  SparseTensor sparse(IndexSpace({1, 2, 1}), std::move(records));
  sparse.set_missing(missing);
  sparse.set_zero_weight(0.5);
  const Tensor data(std::move(sparse), Labels({{"day", {"wed"}}, {"hour", {"10", "8"}}, {"place", {"B"}}}));
  const Joined joined = join(model, data, NewLabels::in_one_mode);
  const SparseTensor& out = *joined.tensor.sparse();
  ASSERT_EQ(out.listed(), 1u);
  EXPECT_THAT(out.records().cell(0), ElementsAre(0, 2, 1));
  EXPECT_EQ(out.records().weight(0), 0.25);
  EXPECT_EQ(out.zero_weight(), 0.5);
  const Index hidden[3] = {0, 0, 1};
  EXPECT_TRUE(out.is_missing(hidden));
}

TEST(Join, UnknownLabelsAreListedOrLeftOut) {
  const std::vector<Event> list = {{"wed", "9", "A", 4}, {"wed", "9", "C", 1}};
  const Tensor data = events(list, {{"wed"}, {"9"}, {"A", "C"}});
  EXPECT_THAT(message_of(data, NewLabels::in_one_mode),
              HasSubstr("several modes have labels that the model does not know: day ('wed'), place ('C')"));
  JoinOptions options;
  options.mode = "day";
  EXPECT_THAT(message_of(data, NewLabels::in_one_mode, options), HasSubstr("place: the model does not know 'C'"));
  options.unknown = UnknownLabels::ignore;
  const Joined joined = join(model, data, NewLabels::in_one_mode, options);
  EXPECT_EQ(joined.tensor.sparse()->listed(), 1u);
  EXPECT_EQ(joined.cells_left_out, 1u);
  EXPECT_EQ(value(joined.tensor, {0, 1, 0}), 4);
}

TEST(Join, SaysInOneLineWhatDoesNotFit) {
  EXPECT_THAT(message_of(events({{"wed", "25", "A", 1}}, {{"wed"}, {"25"}, {"A"}}), NewLabels::in_one_mode,
                         {.mode = "day", .unknown = UnknownLabels::ignore}),
              HasSubstr("hour: the model knows none of the data's labels ('25')"));
  EXPECT_THAT(message_of(events({{"mon", "8", "A", 1}}, {{"mon"}, {"8"}, {"A"}}), NewLabels::in_one_mode),
              HasSubstr("the model knows all labels of the data; give mode"));
  EXPECT_THAT(message_of(events({{"wed", "8", "A", 1}}, {{"wed"}, {"8"}, {"A"}}), NewLabels::nowhere),
              HasSubstr("day: the model knows none"));
  EXPECT_THAT(message_of(DenseTensor(IndexSpace({2, 2}), AlignedVector<double>(4)), NewLabels::nowhere),
              HasSubstr("the data have 2 modes (mode 1, mode 2), the model has 3"));
  Tensor renamed = events({{"wed", "8", "A", 1}}, {{"wed"}, {"8"}, {"A"}});
  Labels labels = renamed.labels();
  labels.mode(2).name = "district";
  renamed.set_labels(labels);
  EXPECT_THAT(message_of(renamed, NewLabels::in_one_mode), HasSubstr("name them alike (mode-names)"));
  EXPECT_THAT(message_of(events({{"wed", "8", "A", 1}}, {{"wed"}, {"8", "8"}, {"A"}}), NewLabels::in_one_mode),
              HasSubstr("hour: the data's indices have the label '8' twice"));
  const Tensor bare = DenseTensor(IndexSpace({5, 3, 2}), AlignedVector<double>(30));
  EXPECT_THAT(message_of(bare, NewLabels::in_one_mode), HasSubstr("no labels in common"));
  EXPECT_THAT(message_of(bare, NewLabels::in_one_mode, {.mode = "hour"}),
              HasSubstr("day: the data have 5 indices, the model has 2"));
  EXPECT_EQ(join(model, bare, NewLabels::in_one_mode, {.mode = "day"}).tensor.space(), IndexSpace({5, 3, 2}));
}

TEST(Join, ModesGrowByNewLabels) {
  const Tensor data = events({{"wed", "8", "C", 3}, {"mon", "11", "A", 2}}, {{"wed", "mon"}, {"8", "11"}, {"C", "A"}});
  const Joined joined = join(model, data, NewLabels::anywhere);
  EXPECT_EQ(joined.tensor.space(), IndexSpace({3, 4, 3}));
  EXPECT_THAT(joined.tensor.labels().mode(0).entries, ElementsAre("mon", "tue", "wed"));
  EXPECT_THAT(joined.tensor.labels().mode(2).entries, ElementsAre("A", "B", "C"));
  EXPECT_THAT(joined.model_row[0], ElementsAre(0, 1, no_row));
  EXPECT_EQ(value(joined.tensor, {2, 0, 2}), 3);
  EXPECT_EQ(value(joined.tensor, {0, 3, 0}), 2);
}

}  // namespace
}  // namespace polyad
