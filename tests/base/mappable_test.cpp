#include <polyad/detail/mappable.hpp>

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace polyad {
namespace {

using Numbers = Mappable<double>;

std::vector<double> content(const Numbers& x) {
  return {x.begin(), x.end()};
}

class MappableTest : public ::testing::Test {
 protected:
  Numbers mapped() { return {file_->data(), file_->size(), file_}; }
  std::shared_ptr<std::array<double, 3>> file_ = std::make_shared<std::array<double, 3>>(std::array{1.0, 2.0, 3.0});
};

TEST_F(MappableTest, OwnedArraysAreValues) {
  Numbers a{1, 2};
  Numbers b = a;
  b.to_change()[0] = 5;
  EXPECT_EQ(content(a), (std::vector<double>{1, 2}));
  EXPECT_EQ(content(b), (std::vector<double>{5, 2}));
  b.change([](auto& v) { v.push_back(7); });
  a = b;
  EXPECT_EQ(content(a), (std::vector<double>{5, 2, 7}));
  EXPECT_NE(a.data(), b.data());
  const Numbers c = std::move(b);
  EXPECT_EQ(content(c), (std::vector<double>{5, 2, 7}));
  EXPECT_TRUE(b.empty());  // NOLINT(bugprone-use-after-move): that it is empty is promised
  EXPECT_FALSE(c.mapped());
}

TEST_F(MappableTest, CopiesShareTheMappingAndKeepIt) {
  Numbers a = mapped();
  const Numbers b = a;
  EXPECT_EQ(a.data(), file_->data());
  EXPECT_EQ(b.data(), file_->data());
  EXPECT_EQ(a.capacity(), 0u);
  const std::weak_ptr<const void> file = file_;
  file_.reset();
  a = Numbers();
  EXPECT_FALSE(file.expired());
  EXPECT_EQ(content(b), (std::vector<double>{1, 2, 3}));
}

TEST_F(MappableTest, ChangesGoToACopy) {
  Numbers a = mapped();
  const Numbers b = a;
  a.to_change()[1] = 9;
  EXPECT_FALSE(a.mapped());
  EXPECT_TRUE(b.mapped());
  EXPECT_EQ(content(a), (std::vector<double>{1, 9, 3}));
  EXPECT_EQ(content(b), (std::vector<double>{1, 2, 3}));
  Numbers c = b;
  c.change([](auto& v) { v.resize(1); });
  EXPECT_EQ(content(c), (std::vector<double>{1}));
  EXPECT_EQ((*file_)[1], 2.0);
}

TEST_F(MappableTest, AMappedArrayMoves) {
  Numbers a = mapped();
  Numbers b = std::move(a);
  EXPECT_TRUE(b.mapped());
  EXPECT_EQ(b.data(), file_->data());
  EXPECT_TRUE(a.empty());  // NOLINT(bugprone-use-after-move): that it is empty is promised
  EXPECT_FALSE(a.mapped());
  b = Numbers{4};
  EXPECT_FALSE(b.mapped());
  EXPECT_EQ(content(b), (std::vector<double>{4}));
}

}  // namespace
}  // namespace polyad
