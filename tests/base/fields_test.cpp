#include <polyad/base/error.hpp>
#include <polyad/base/json_fields.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace polyad {
namespace {

using testing::HasSubstr;

enum class Colour { red, green, dark_blue };
constexpr std::array<std::string_view, 3> words_of(Colour) {
  return {"red", "green", "dark-blue"};
}

struct Options {
  bool quiet = false;
  double rate = 0.01;
  double upper = std::numeric_limits<double>::infinity();
  std::uint64_t seed = 1;
  std::int32_t shift = 0;
  std::string name = "x";
  std::vector<std::string> strata;
  Colour colour = Colour::green;
  std::optional<std::uint64_t> samples;
  std::optional<Colour> edge;

  static auto fields() {
    return std::tuple{
        field("quiet", &Options::quiet, "say less"),
        field("rate", &Options::rate, "step length", above(0)),
        field("upper", &Options::upper, "bound"),
        field("seed", &Options::seed, "random seed"),
        field("shift", &Options::shift, "shift", within(-10, 10)),
        field("name", &Options::name, "name"),
        field("stratum", &Options::strata, "a stratum"),
        field("colour", &Options::colour, "colour"),
        field("samples", &Options::samples, "samples", at_least(1)),
        field("edge", &Options::edge, "edge colour"),
    };
  }
};

template <class Call>
std::string usage_error_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  ADD_FAILURE() << "no error was thrown";
  return "";
}

template <class T>
T parsed(std::string_view text) {
  T value{};
  parse_value("field", text, value);
  return value;
}
template <class T>
std::string refused(std::string_view text) {
  return usage_error_of([&] { parsed<T>(text); });
}

TEST(ParseValue, ReadsNumbersAsPeopleWriteThem) {
  EXPECT_EQ(parsed<double>("0.5"), 0.5);
  EXPECT_EQ(parsed<double>(".5"), 0.5);
  EXPECT_EQ(parsed<double>("+5"), 5);
  EXPECT_EQ(parsed<double>("-1e-3"), -1e-3);
  EXPECT_EQ(parsed<double>("+1E+3"), 1000);
  EXPECT_EQ(parsed<double>("inf"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(parsed<double>("-inf"), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(parsed<std::uint64_t>("12"), 12u);
  EXPECT_EQ(parsed<std::uint64_t>("+12"), 12u);
  EXPECT_EQ(parsed<std::uint64_t>("1e6"), 1000000u);
  EXPECT_EQ(parsed<std::uint64_t>("2.0"), 2u);
  EXPECT_EQ(parsed<std::uint64_t>("18446744073709551615"), ~0ull);
  EXPECT_EQ(parsed<std::int32_t>("-7"), -7);
  EXPECT_EQ(parsed<std::int32_t>("-2e3"), -2000);
}

TEST(ParseValue, RefusesWhatIsNoNumber) {
  EXPECT_EQ(refused<double>("fast"), "field: 'fast' is not a number");
  for (const char* text : {"", "+", "-", "+-5", "++5", "1,5", "5 ", " 5", "5x", "nan", "0x10"}) {
    EXPECT_THAT(refused<double>(text), HasSubstr("is not a number")) << text;
    EXPECT_THAT(refused<std::uint64_t>(text), HasSubstr("is not a whole number")) << text;
  }
  EXPECT_EQ(refused<double>("1e400"), "field: '1e400' is not a number that fits");
  EXPECT_EQ(refused<std::uint64_t>("2.5"), "field: '2.5' is not a whole number");
  EXPECT_EQ(refused<std::uint64_t>("inf"), "field: 'inf' is not a whole number");
}

TEST(ParseValue, RefusesWhatDoesNotFit) {
  EXPECT_EQ(refused<std::uint64_t>("-3"),
            "field: '-3' is out of range: give a whole number from 0 to 18446744073709551615");
  EXPECT_THAT(refused<std::uint64_t>("18446744073709551616"), HasSubstr("out of range"));
  EXPECT_THAT(refused<std::uint64_t>("1e30"), HasSubstr("out of range"));
  EXPECT_EQ(refused<std::int32_t>("1e12"),
            "field: '1e12' is out of range: give a whole number from -2147483648 to 2147483647");
  EXPECT_THAT(refused<std::uint32_t>("4294967296"), HasSubstr("out of range"));
  EXPECT_EQ(parsed<std::uint32_t>("4294967295.0"), 4294967295u);
}

TEST(ParseValue, ReadsSwitchesAndWords) {
  for (const char* text : {"true", "yes", "on", "1"}) EXPECT_TRUE(parsed<bool>(text));
  for (const char* text : {"false", "no", "off", "0"}) EXPECT_FALSE(parsed<bool>(text));
  EXPECT_EQ(refused<bool>("maybe"), "field: 'maybe' is neither true nor false");
  EXPECT_EQ(parsed<Colour>("dark-blue"), Colour::dark_blue);
  EXPECT_EQ(refused<Colour>("gren"), "field: 'gren' is not one of red, green, dark-blue (did you mean 'green'?)");
  EXPECT_EQ(refused<Colour>("7"), "field: '7' is not one of red, green, dark-blue");
}

TEST(ParseValue, AutoEmptiesAnOptional) {
  std::optional<std::uint64_t> samples = 5;
  parse_value("samples", "auto", samples);
  EXPECT_FALSE(samples);
  parse_value("samples", "7", samples);
  EXPECT_EQ(samples, 7u);
  usage_error_of([&] { parse_value("samples", "many", samples); });
  EXPECT_EQ(samples, 7u);  // untouched by a failure
}

TEST(ValidateFields, NamesFieldRuleAndValue) {
  Options options;
  validate_fields(options);
  options.rate = -0.5;
  EXPECT_EQ(usage_error_of([&] { validate_fields(options); }), "rate must be above 0 (is -0.5)");
  options = {};
  options.rate = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(usage_error_of([&] { validate_fields(options); }), "rate must be above 0 (is nan)");
  options = {};
  options.samples = 0;
  EXPECT_EQ(usage_error_of([&] { validate_fields(options); }), "samples must be at least 1 (is 0)");
  options.samples.reset();
  options.shift = 11;
  EXPECT_EQ(usage_error_of([&] { validate_fields(options); }), "shift must be between -10 and 10 (is 11)");
}

TEST(Rules, DecayFactorIsHalfOpen) {
  const Rule rule = decay_factor();
  EXPECT_EQ(rule(0), "");
  EXPECT_EQ(rule(0.999), "");
  EXPECT_EQ(rule(1), "must be at least 0 and below 1");
  EXPECT_NE(rule(-0.1), "");
}

TEST(FieldsJson, GoesThereAndBack) {
  Options options;
  options.quiet = true;
  options.rate = 0.1 + 0.2;  // needs all its digits
  options.upper = -std::numeric_limits<double>::infinity();
  options.seed = ~0ull;
  options.shift = -3;
  options.name = "a \"quoted\" name";
  options.strata = {"nonzeros:values=1..1", "zeros"};
  options.colour = Colour::dark_blue;
  options.samples = 12;

  // Through text, as in a file.
  const Json json = Json::parse(fields_to_json(options).dump());
  EXPECT_EQ(json["edge"], "auto");
  EXPECT_EQ(json["colour"], "dark-blue");
  Options back;
  back.edge = Colour::red;
  back.strata = {"replaced"};
  fields_from_json(json, back);
  EXPECT_EQ(back.quiet, options.quiet);
  EXPECT_EQ(back.rate, options.rate);
  EXPECT_EQ(back.upper, options.upper);
  EXPECT_EQ(back.seed, options.seed);
  EXPECT_EQ(back.shift, options.shift);
  EXPECT_EQ(back.name, options.name);
  EXPECT_EQ(back.strata, options.strata);
  EXPECT_EQ(back.colour, options.colour);
  EXPECT_EQ(back.samples, options.samples);
  EXPECT_FALSE(back.edge);
}

TEST(FieldsJson, SetsOnlyWhatIsNamed) {
  Options options;
  fields_from_json(Json::parse(R"({"seed": 5, "samples": "1e3"})"), options);
  EXPECT_EQ(options.seed, 5u);
  EXPECT_EQ(options.samples, 1000u);
  EXPECT_EQ(options.rate, 0.01);
}

TEST(FieldsJson, SaysWhatIsWrong) {
  const auto error_for = [](const char* text) {
    return usage_error_of([&] {
      Options options;
      fields_from_json(Json::parse(text), options);
    });
  };
  EXPECT_EQ(error_for(R"({"sample": 5})"), "unknown option 'sample' (did you mean 'samples'?)");
  EXPECT_EQ(error_for(R"({"wavelength": 5})"), "unknown option 'wavelength'");
  EXPECT_EQ(error_for(R"({"seed": 1.5})"), "seed: '1.5' is not a whole number");
  EXPECT_EQ(error_for(R"({"seed": null})"), "seed: expected one value, not null");
  EXPECT_EQ(error_for(R"({"rate": [1, 2]})"), "rate: expected one value, not [1,2]");
  EXPECT_EQ(error_for(R"({"stratum": "zeros"})"), "stratum: expected a list");
  EXPECT_EQ(error_for(R"({"stratum": [["zeros"]]})"), "stratum: expected one value, not [\"zeros\"]");
  EXPECT_EQ(error_for("[1]"), "options: expected an object of names and values");
}

}  // namespace
}  // namespace polyad
