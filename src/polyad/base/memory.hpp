#pragma once
// How much memory there is, and sizes for people.

#include <string>

namespace polyad {

/// Bytes that can still be allocated without swapping, as the system tells; infinity where it does not tell.
double available_memory();

/// "1.5 GB", "320 MB".
std::string bytes_text(double bytes);

}  // namespace polyad
