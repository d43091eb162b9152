"""Lock this process in, then run the program that comes on standard input. Pure ctypes; no root, no other binary.

Landlock takes away every file but the Python installation, to read; seccomp takes away sockets, processes, signals to
others, shared memory and all system calls a calculation does not need; resource limits take the rest. Called as
`python -I launch.py PROGRAM_FILE SECONDS BYTES`; messages are lines of JSON: `{ready}` when it is locked in, then, for
one request, `{call, arguments}` as often as the program calls the host, and `{done}`.
"""

import ctypes
import errno
import importlib.util
import json
import math
import mmap
import os
import resource
import signal
import struct
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import IO

LIBC = ctypes.CDLL(None, use_errno=True)
PAGE = mmap.PAGESIZE
READ_WRITE = mmap.PROT_READ | mmap.PROT_WRITE
PRIVATE = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
NO_ADDRESS = ctypes.c_void_p(-1).value  # what mmap returns when it fails
UNLIMITED = 1 << 46  # bytes; more than a process can address
STACK = 8 << 20  # bytes of the first thread's stack, which RLIMIT_DATA does not count
PARENT_DEATH, DUMPABLE, SECCOMP, FILTER, NO_NEW_PRIVS = 1, 4, 22, 2, 38
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
EXECUTE, READ_FILE, READ_DIR = 1, 4, 8
HANDLED = {1: 0x1FFF, 2: 0x3FFF, 3: 0x7FFF, 4: 0x7FFF, 5: 0xFFFF}  # file rights by the version of Landlock
AUDIT_ARCH_X86_64 = 0xC000003E

# System calls of x86-64 that a calculation needs. None makes a process, a session, a socket, a pipe or a file, reaches
# another process, or changes a limit.
ALLOWED = (
    *(0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15),  # read .. lseek, mprotect .. rt_sigreturn
    *(17, 18, 19, 20, 21, 23, 24, 25, 26, 27, 28, 32, 33, 35, 39),  # pread64 .. getpid
    *(60, 63, 72, 78, 79, 80, 89, 95, 96, 97, 98, 99, 100),  # exit, uname, fcntl, getdents, getcwd .. times
    *(102, 104, 107, 108, 110, 111, 115, 127, 128, 131, 137, 138, 143, 145, 158),  # getuid .. arch_prctl
    *(186, 191, 192, 201, 202, 204, 213, 217, 218, 219, 221, 228, 229, 230, 231, 232, 233),  # gettid .. epoll_ctl
    *(257, 262, 267, 269, 270, 271, 273, 274, 281, 290, 291, 292, 318, 324, 332, 334, 439, 449),  # openat ..
)
MMAP, CLONE, CLONE3, IOCTL, PRLIMIT, TGKILL = 9, 56, 435, 16, 302, 234
SHARED = 0x1  # MAP_SHARED: memory that RLIMIT_DATA does not count
THREAD = 0x10000  # CLONE_THREAD
REQUESTS = (0x5401, 0x5413, 0x5450, 0x5451)  # ioctl: is it a terminal, how large, and the close-on-exec mark

Instruction = tuple[int, int, int, int]  # of BPF: code, jump if true, jump if false, constant


def main() -> None:
    """Lock in, run one program, answer."""
    program_file, seconds, memory = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
    follow_parent()
    requests, answers = take_streams()
    program = _load(program_file)
    limit(seconds, memory)
    lock_files(readable())
    lock_calls()

    def send(message: dict[str, object]) -> None:
        answers.write(json.dumps(message) + "\n")
        answers.flush()

    def call(name: str, arguments: str) -> str:
        send({"call": name, "arguments": arguments})
        return requests.readline()

    send({"ready": True})
    send({"done": program.run(requests.readline(), call)})
    os._exit(0)


def follow_parent() -> None:
    """Have the kernel end this process together with its parent."""
    parent = os.getppid()
    _prctl(PARENT_DEATH, signal.SIGKILL)
    if os.getppid() != parent:  # it ended before the call
        os._exit(1)


def take_streams() -> tuple[IO[str], IO[str]]:
    """The streams for messages; the program itself gets an empty standard input and a silent standard output."""
    requests, answers = os.fdopen(os.dup(0), encoding="utf-8"), os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return requests, answers


def _load(file: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location("program", file)
    if spec is None or spec.loader is None:
        raise ImportError(file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def limit(seconds: float, memory: int) -> None:
    """Processor time, memory, no files, few handles, no core. Processes cannot multiply: `lock_calls` refuses them."""
    spent = resource.getrusage(resource.RUSAGE_SELF)
    cpu = math.ceil(spent.ru_utime + spent.ru_stime + seconds)
    data = private_memory() + memory
    for kind, soft, hard in (
        (resource.RLIMIT_DATA, data, data),
        (resource.RLIMIT_CPU, cpu, cpu + 1),  # the first ends it as too slow, the second if it ignores that
        (resource.RLIMIT_STACK, STACK, STACK),
        (resource.RLIMIT_FSIZE, 0, 0),
        (resource.RLIMIT_NOFILE, 64, 64),
        (resource.RLIMIT_CORE, 0, 0),
    ):
        inherited = _hard_limit(kind)
        resource.setrlimit(kind, (min(soft, inherited), min(hard, inherited)))


def _hard_limit(kind: int) -> int:
    _, hard = resource.getrlimit(kind)
    return UNLIMITED if hard == resource.RLIM_INFINITY else hard


def private_memory() -> int:
    """Bytes of writable private memory mapped now, which is what RLIMIT_DATA counts; not all systems show /proc.

    It is the smallest limit under which one more page can be mapped, found by bisection.
    """
    LIBC.mmap.restype = ctypes.c_void_p
    hard = _hard_limit(resource.RLIMIT_DATA)
    low, high = 0, hard
    while high - low > PAGE:
        middle = (low + high) // 2
        resource.setrlimit(resource.RLIMIT_DATA, (middle, hard))
        address = LIBC.mmap(None, ctypes.c_size_t(PAGE), READ_WRITE, PRIVATE, -1, ctypes.c_long(0))
        resource.setrlimit(resource.RLIMIT_DATA, (hard, hard))  # so that Python itself gets memory
        if address == NO_ADDRESS:
            low = middle
        else:
            LIBC.munmap(ctypes.c_void_p(address), ctypes.c_size_t(PAGE))
            high = middle
    return high


def readable() -> Iterator[str]:
    """What Python itself needs to read."""
    yield from ("/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/share/zoneinfo", "/lib", "/lib64", "/etc/ld.so.cache")
    for prefix in {sys.prefix, sys.base_prefix, sys.exec_prefix}:
        yield from (f"{prefix}/lib", f"{prefix}/lib64", f"{prefix}/pyvenv.cfg")
    yield from ("/dev/urandom", "/dev/null")


def lock_files(paths: Iterator[str]) -> None:
    """Landlock: read the paths, and nothing else of any file system; raises OSError where the kernel has none."""
    version = LIBC.syscall(CREATE_RULESET, None, 0, 1)
    if version < 1:
        raise OSError(errno.ENOSYS, "this kernel has no Landlock")
    handled = HANDLED[min(version, 5)]
    network, scope = (3 if version >= 4 else 0), (3 if version >= 6 else 0)
    size = 8 if version < 4 else 16 if version < 6 else 24
    ruleset = _checked(CREATE_RULESET, struct.pack("<QQQ", handled, network, scope), size, 0)
    for path in paths:
        try:
            handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            continue
        rights = READ_FILE | READ_DIR | EXECUTE if os.path.isdir(path) else READ_FILE  # noqa: PTH112 - no more imports
        _checked(ADD_RULE, ruleset, 1, struct.pack("<Qi", rights & handled, handle), 0)
        os.close(handle)
    _prctl(NO_NEW_PRIVS, 1)
    _prctl(DUMPABLE, 0)
    _checked(RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)


def lock_calls() -> None:
    """Seccomp: the allowed system calls, threads of this process, signals to itself; all else is refused."""
    if os.uname().machine != "x86_64":
        raise OSError(errno.ENOSYS, f"no list of system calls for {os.uname().machine}")
    code = b"".join(struct.pack("<HBBI", *instruction) for instruction in _instructions())
    buffer = ctypes.create_string_buffer(code, len(code))
    head = struct.pack("<HxxxxxxQ", len(code) // 8, ctypes.addressof(buffer))
    if LIBC.prctl(SECCOMP, FILTER, head, 0, 0):
        raise OSError(ctypes.get_errno(), "seccomp is refused")


def _instructions() -> list[Instruction]:
    load, equal, any_bit, result = 0x20, 0x15, 0x45, 0x06
    allow, refuse, missing = 0x7FFF0000, 0x00050000 | errno.EPERM, 0x00050000 | errno.ENOSYS
    code = [(load, 0, 0, 4), (equal, 1, 0, AUDIT_ARCH_X86_64), (result, 0, 0, refuse), (load, 0, 0, 0)]
    for number in ALLOWED:
        code += [(equal, 0, 1, number), (result, 0, 0, allow)]
    code += [(equal, 0, 1, CLONE3), (result, 0, 0, missing)]  # so that the C library uses clone instead
    code += _when(CLONE, [(load, 0, 0, _argument(0)), (any_bit, 0, 1, THREAD), (result, 0, 0, allow)], refuse)
    code += _when(MMAP, [(load, 0, 0, _argument(3)), (any_bit, 1, 0, SHARED), (result, 0, 0, allow)], refuse)
    requests = [step for request in REQUESTS for step in ((equal, 0, 1, request), (result, 0, 0, allow))]
    code += _when(IOCTL, [(load, 0, 0, _argument(1)), *requests], refuse)
    # prlimit only to ask: of this process (0), with no new limit (the pointer is null in both halves).
    null = [(load, 0, 0, _argument(2)), (equal, 0, 3, 0), (load, 0, 0, _argument(2) + 4), (equal, 0, 1, 0)]
    code += _when(PRLIMIT, [(load, 0, 0, _argument(0)), (equal, 0, 5, 0), *null, (result, 0, 0, allow)], refuse)
    code += _when(TGKILL, [(load, 0, 0, _argument(0)), (equal, 0, 1, os.getpid()), (result, 0, 0, allow)], refuse)
    return [*code, (result, 0, 0, refuse)]


def _argument(index: int) -> int:
    """Offset of the lower half of an argument in `struct seccomp_data`."""
    return 16 + 8 * index


def _when(number: int, steps: list[Instruction], refuse: int) -> list[Instruction]:
    """The steps for one system call, which end in a refusal; other calls jump over them."""
    return [(0x15, 0, len(steps) + 1, number), *steps, (0x06, 0, 0, refuse)]


def _checked(number: int, *arguments: object) -> int:
    result = int(LIBC.syscall(number, *arguments))
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result


def _prctl(option: int, value: int) -> None:
    if LIBC.prctl(option, value, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl is refused")


if __name__ == "__main__":
    main()
