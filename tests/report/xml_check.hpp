#pragma once
// A small check that text is well-formed XML: tags nest and close, attributes are quoted, no bare '<' or '&'.

#include <cctype>
#include <string>
#include <string_view>
#include <vector>

namespace polyad::testing {

/// Empty where well-formed, otherwise what is wrong.
inline std::string xml_fault(std::string_view xml) {
  std::vector<std::string> open;
  std::size_t at = 0;
  const auto name_at = [&](std::size_t from) {
    std::size_t end = from;
    while (end < xml.size() && (std::isalnum(static_cast<unsigned char>(xml[end])) != 0 || xml[end] == '-')) ++end;
    return std::string(xml.substr(from, end - from));
  };
  const auto entity_fine = [&](std::size_t from) {
    for (const std::string_view entity : {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"}) {
      if (xml.substr(from, entity.size()) == entity) return true;
    }
    return false;
  };
  while (at < xml.size()) {
    const unsigned char c = static_cast<unsigned char>(xml[at]);
    if (c < 0x20 && c != '\n') return "control character";
    if (c == '&' && !entity_fine(at)) return "bare & at " + std::string(xml.substr(at, 20));
    if (c != '<') {
      if (c == '>') return "bare >";
      ++at;
      continue;
    }
    if (xml[at + 1] == '/') {
      const std::string name = name_at(at + 2);
      if (open.empty() || open.back() != name) return "unexpected </" + name + ">";
      open.pop_back();
      at = xml.find('>', at) + 1;
      continue;
    }
    const std::string name = name_at(at + 1);
    if (name.empty()) return "bare < at " + std::string(xml.substr(at, 20));
    at += 1 + name.size();
    while (at < xml.size() && xml[at] == ' ') {
      const std::string attribute = name_at(++at);
      at += attribute.size();
      if (attribute.empty() || xml.substr(at, 2) != "=\"") return "attribute of <" + name + "> is not quoted";
      const std::size_t end = xml.find('"', at + 2);
      const std::string_view value = xml.substr(at + 2, end - at - 2);
      if (value.find('<') != std::string_view::npos) return "< in an attribute";
      at = end + 1;
    }
    if (xml.substr(at, 2) == "/>") {
      at += 2;
    } else if (at < xml.size() && xml[at] == '>') {
      ++at;
      open.push_back(name);
    } else {
      return "<" + name + "> does not end";
    }
  }
  return open.empty() ? std::string{} : "<" + open.back() + "> stays open";
}

}  // namespace polyad::testing
