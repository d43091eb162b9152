"""Lock this process in, then run the program that comes on standard input. Pure ctypes; no root, no other binary.

Landlock takes away every file but the Python installation, to read; seccomp takes away sockets, processes, signals to
others and all system calls a calculation does not need; limits take the rest. Called as
`python -I launch.py PROGRAM_FILE SECONDS BYTES`; messages are lines of JSON on standard output.
"""

import ctypes
import errno
import importlib.util
import json
import os
import resource
import struct
import sys
from collections.abc import Iterator
from types import ModuleType

LIBC = ctypes.CDLL(None, use_errno=True)
SPACE = 1536 << 20  # bytes of address space that the interpreter and its libraries take themselves
NO_NEW_PRIVS, DUMPABLE, SECCOMP, FILTER = 38, 4, 22, 2
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
EXECUTE, READ_FILE, READ_DIR = 1, 4, 8
HANDLED = {1: 0x1FFF, 2: 0x3FFF, 3: 0x7FFF, 4: 0x7FFF, 5: 0xFFFF}  # file rights by the version of Landlock
AUDIT_ARCH_X86_64 = 0xC000003E

# System calls of x86-64 that a calculation needs; none makes a process, a socket or a file, or reaches another process.
ALLOWED = (
    *(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),  # read .. rt_sigreturn
    *(17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 32, 33, 35, 39),  # pread64 .. getpid
    *(60, 63, 72, 78, 79, 80, 89, 95, 96, 97, 98, 99, 100),  # exit, uname, fcntl, getdents, getcwd .. times
    *(102, 104, 107, 108, 110, 111, 115, 127, 128, 131, 137, 138, 143, 145, 158),  # getuid .. arch_prctl
    *(186, 191, 192, 201, 202, 204, 213, 217, 218, 219, 221, 228, 229, 230, 231, 232, 233),  # gettid .. epoll_ctl
    *(257, 262, 267, 269, 270, 271, 273, 274, 281, 290, 291, 292, 293, 318, 324, 332, 334, 439, 449),  # openat ..
)
CLONE, CLONE3, IOCTL, PRLIMIT, TGKILL = 56, 435, 16, 302, 234
THREAD = 0x10000  # CLONE_THREAD
ASKS = (0x5401, 0x5413, 0x5450, 0x5451)  # is it a terminal, how large, and the close-on-exec mark


def main() -> None:
    """Lock in, run one program, answer."""
    program_file, seconds, memory = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
    request = json.loads(sys.stdin.readline())
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    program = _load(program_file)
    limit(seconds, memory)
    lock_files(readable())
    lock_calls()

    def call(name: str, arguments: str) -> str:
        answers.write(json.dumps({"call": name, "arguments": arguments}) + "\n")
        answers.flush()
        return sys.stdin.readline()

    answers.write(json.dumps({"done": program.run(json.dumps(request), call)}) + "\n")
    answers.flush()
    os._exit(0)


def _load(file: str) -> ModuleType:
    found = importlib.util.spec_from_file_location("program", file)
    if found is None or found.loader is None:
        raise ImportError(file)
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def limit(seconds: float, memory: int) -> None:
    """Processor time, address space, no files, few handles, no core."""
    cpu = int(seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))  # the first ends it as too slow, the second if it holds on
    for kind, value in (
        (resource.RLIMIT_AS, SPACE + memory),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NOFILE, 128),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(kind, (value, value))


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
    code = b"".join(struct.pack("<HBBI", *one) for one in _instructions())
    buffer = ctypes.create_string_buffer(code, len(code))
    head = struct.pack("<HxxxxxxQ", len(code) // 8, ctypes.addressof(buffer))
    if LIBC.prctl(SECCOMP, FILTER, head, 0, 0):
        raise OSError(ctypes.get_errno(), "seccomp is refused")


def _instructions() -> list[tuple[int, int, int, int]]:
    """The filter as BPF: (code, jump if true, jump if false, constant)."""
    load, equal, some, give = 0x20, 0x15, 0x45, 0x06
    allow, refuse, missing = 0x7FFF0000, 0x00050000 | errno.EPERM, 0x00050000 | errno.ENOSYS
    made = [(load, 0, 0, 4), (equal, 1, 0, AUDIT_ARCH_X86_64), (give, 0, 0, refuse), (load, 0, 0, 0)]
    for number in ALLOWED:
        made += [(equal, 0, 1, number), (give, 0, 0, allow)]
    made += [(equal, 0, 1, CLONE3), (give, 0, 0, missing)]  # so that the C library asks for clone instead
    made += _when(CLONE, [(load, 0, 0, 16), (some, 0, 1, THREAD), (give, 0, 0, allow)], refuse)
    asks = [step for ask in ASKS for step in ((equal, 0, 1, ask), (give, 0, 0, allow))]
    made += _when(IOCTL, [(load, 0, 0, 24), *asks], refuse)
    made += _when(PRLIMIT, [(load, 0, 0, 16), (equal, 0, 1, 0), (give, 0, 0, allow)], refuse)
    made += _when(TGKILL, [(load, 0, 0, 16), (equal, 0, 1, os.getpid()), (give, 0, 0, allow)], refuse)
    return [*made, (give, 0, 0, refuse)]


def _when(number: int, steps: list[tuple[int, int, int, int]], refuse: int) -> list[tuple[int, int, int, int]]:
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
