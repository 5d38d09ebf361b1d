#include <polyad/io/isolated/sandbox.hpp>

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <vector>

// Sanitizers map far more memory than they use: no limit can be set on it.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define POLYAD_WITH_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define POLYAD_WITH_SANITIZER
#endif
#endif

namespace polyad {
namespace {

void set_limit(__rlimit_resource_t which, std::uint64_t most) {
  const rlimit limit{most, most};
  setrlimit(which, &limit);
}

#if defined(__x86_64__)
constexpr std::uint32_t this_architecture = AUDIT_ARCH_X86_64;
long argument(const ucontext_t& context, int i) {
  constexpr int registers[] = {REG_RDI, REG_RSI, REG_RDX};
  return context.uc_mcontext.gregs[registers[i]];
}
void set_result(ucontext_t& context, long result) {
  context.uc_mcontext.gregs[REG_RAX] = result;
}
#elif defined(__aarch64__)
constexpr std::uint32_t this_architecture = AUDIT_ARCH_AARCH64;
long argument(const ucontext_t& context, int i) {
  return static_cast<long>(context.uc_mcontext.regs[i]);
}
void set_result(ucontext_t& context, long result) {
  context.uc_mcontext.regs[0] = static_cast<unsigned long>(result);
}
#endif

#if defined(__x86_64__) || defined(__aarch64__)

// For the handler below; set once, before the filter.
const char* allowed_path = nullptr;
int allowed_descriptor = -1;

// In place of opening a file, or asking about one, by name: there is only the one that is to be read.
void instead_of_names(int, siginfo_t* info, void* context_address) {
  auto& context = *static_cast<ucontext_t*>(context_address);
  const int saved = errno;
  long result = -EACCES;
#ifdef SYS_open
  const int path_at = info->si_syscall == SYS_open ? 0 : 1;
#else
  const int path_at = 1;
#endif
  const auto* const path = reinterpret_cast<const char*>(argument(context, path_at));
  if (path == nullptr || std::strcmp(path, allowed_path) != 0) {
    // Nothing else exists.
  } else if (info->si_syscall == SYS_newfstatat) {
    result = fstat(allowed_descriptor, reinterpret_cast<struct stat*>(argument(context, 2)));
  } else {
    result = dup(allowed_descriptor);
    if (result >= 0) lseek(static_cast<int>(result), 0, SEEK_SET);
  }
  set_result(context, result);
  errno = saved;
}

// What reading, computing and handing over need; nothing that names a file, a host or another process.
constexpr int allowed_calls[] = {
    SYS_read,        SYS_pread64,       SYS_readv,        SYS_write,        SYS_pwrite64,       SYS_writev,
    SYS_lseek,       SYS_fstat,         SYS_close,        SYS_dup,          SYS_fcntl,          SYS_ftruncate,
    SYS_mmap,        SYS_munmap,        SYS_mremap,       SYS_mprotect,     SYS_madvise,        SYS_brk,
    SYS_futex,       SYS_exit,          SYS_exit_group,   SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn,
    SYS_sigaltstack, SYS_clock_gettime, SYS_gettimeofday, SYS_getpid,       SYS_gettid,         SYS_getrandom,
    SYS_getcwd,      SYS_getrusage,     SYS_times,        SYS_sched_yield,  SYS_sysinfo,        SYS_uname,
    SYS_getuid,      SYS_geteuid,       SYS_getgid,       SYS_getegid,
};

bool install_filter() {
  std::vector<sock_filter> code;
  const auto load = [&](std::size_t offset) {
    code.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)));
  };
  const auto answer_if = [&](int call, std::uint32_t action) {
    code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 1));
    code.push_back(BPF_STMT(BPF_RET | BPF_K, action));
  };
  load(offsetof(seccomp_data, arch));
  code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, this_architecture, 1, 0));
  code.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
  load(offsetof(seccomp_data, nr));
  for (const int call : allowed_calls) answer_if(call, SECCOMP_RET_ALLOW);
  // These only with one value of one argument: fstat, as the C library calls it, and signals to itself, for abort().
  const auto allow_with = [&](int call, std::size_t which, std::uint32_t value, std::uint32_t otherwise) {
    code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 4));
    load(offsetof(seccomp_data, args) + which * sizeof(std::uint64_t));
    code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1));
    code.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    code.push_back(BPF_STMT(BPF_RET | BPF_K, otherwise));
  };
  allow_with(SYS_newfstatat, 3, AT_EMPTY_PATH, SECCOMP_RET_TRAP);
  allow_with(SYS_tgkill, 0, static_cast<std::uint32_t>(getpid()), SECCOMP_RET_ERRNO | EPERM);
  answer_if(SYS_openat, SECCOMP_RET_TRAP);
#ifdef SYS_open
  answer_if(SYS_open, SECCOMP_RET_TRAP);
#endif
  code.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
  const sock_fprog program{static_cast<unsigned short>(code.size()), code.data()};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

#endif

}  // namespace

void limit_this_process(const SandboxLimits& limits) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // The terminal's signals go to the parent as well, which decides; with it this process ends.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  set_limit(RLIMIT_CORE, 0);
  set_limit(RLIMIT_CPU, limits.seconds);
  set_limit(RLIMIT_FSIZE, limits.result);
#ifndef POLYAD_WITH_SANITIZER
  if (limits.memory != 0) {
    set_limit(RLIMIT_DATA, limits.memory);
    constexpr std::uint64_t program_and_libraries = 256 << 20;
    set_limit(RLIMIT_AS, limits.memory + program_and_libraries);
  }
#endif
}

bool close_the_doors([[maybe_unused]] const std::string& path, [[maybe_unused]] int descriptor) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
#if defined(__x86_64__) || defined(__aarch64__)
  allowed_path = path.c_str();
  allowed_descriptor = descriptor;
  struct sigaction action {};
  action.sa_sigaction = instead_of_names;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  return sigaction(SIGSYS, &action, nullptr) == 0 && install_filter();
#else
  return false;
#endif
}

}  // namespace polyad
