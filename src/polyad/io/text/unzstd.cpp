#include <polyad/base/error.hpp>
#include <polyad/io/text/unzstd.hpp>

#include <new>

namespace polyad {

namespace {

// Frames may ask for a window of gigabytes; files made by `zstd` without --ultra --long stay below this.
constexpr int largest_window_log = 27;

}  // namespace

Unzstd::Unzstd(InputFile& file) : file_(file), input_(std::size_t{128} * 1024), stream_(ZSTD_createDStream()) {
  if (stream_ == nullptr) throw std::bad_alloc();
  ZSTD_DCtx_setParameter(stream_, ZSTD_d_windowLogMax, largest_window_log);
}

Unzstd::~Unzstd() {
  ZSTD_freeDStream(stream_);
}

bool Unzstd::refill() {
  const std::size_t got = file_.read(input_.data(), input_.size());
  waiting_ = {input_.data(), got, 0};
  taken_ += got;
  return got > 0;
}

std::size_t Unzstd::read(char* out, std::size_t count) {
  ZSTD_outBuffer to{out, count, 0};
  while (to.pos == 0 && count > 0) {
    if (waiting_.pos == waiting_.size && !refill()) {
      if (!within_frame_) return 0;
      fail(ErrorKind::data,
           "'{}' is a truncated zstd file: it ends after {} bytes, before its data do; copy or download it again",
           file_.path(), taken_);
    }
    const std::size_t state = ZSTD_decompressStream(stream_, &to, &waiting_);
    if (ZSTD_isError(state) != 0) {
      fail(ErrorKind::data, "'{}' is a damaged zstd file: {} near byte {}; copy or download it again", file_.path(),
           ZSTD_getErrorName(state), taken_ - (waiting_.size - waiting_.pos));
    }
    within_frame_ = state != 0;
  }
  return to.pos;
}

}  // namespace polyad
