"""What a parser process may use: memory, time, disk and no network; set by the process itself before it opens a file.

Limits need POSIX; the network filter needs Linux on x86-64 or ARM64. Elsewhere the wall-clock limit remains.
"""

import ctypes
import logging
import os
import platform
import re
import struct
import sys
from pathlib import Path

logger = logging.getLogger(__name__)

_FILE_BYTES = 256 * 2**20
_PR_SET_PDEATHSIG, _PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _MODE_FILTER = 1, 38, 22, 2
_SIGKILL, _EACCES = 9, 13
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
# machine → (audit architecture, number of the system call `socket`)
_ARCHITECTURES = {"x86_64": (0xC000003E, 41), "aarch64": (0xC00000B7, 198)}
_IO_URING_SETUP = 425
_AF_UNIX = 1
_LOAD, _EQUAL, _RETURN, _AT_LEAST = 0x20, 0x15, 0x06, 0x35
_NUMBER, _ARCH, _FIRST_ARGUMENT = 0, 4, 16
_X32 = 0x40000000


def confine(memory: int) -> None:
    """Put the calling process within its limits for good; `memory` is MiB of address space."""
    if sys.platform == "win32":
        return
    import resource

    _lower(resource.RLIMIT_AS, memory * 2**20)
    _lower(resource.RLIMIT_FSIZE, _FILE_BYTES)
    _lower(resource.RLIMIT_CORE, 0)
    if sys.platform == "linux":
        _linux()


def allow_cpu(seconds: float) -> None:
    """Let the calling process use this much more CPU time; the kernel ends it after that."""
    if sys.platform == "win32":
        return
    import resource

    used = resource.getrusage(resource.RUSAGE_SELF)
    soft = int(used.ru_utime + used.ru_stime + seconds) + 1
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))


def peak_memory() -> int:
    """The highest memory the calling process and its children have held, in MiB."""
    if sys.platform == "win32":
        return 0
    import resource

    unit = 2**20 if sys.platform == "darwin" else 2**10
    return max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) // unit


def peak_memory_of(process: int) -> int:
    """The highest memory that another process of ours has held, in MiB; 0 where the system does not tell."""
    try:
        status = Path(f"/proc/{process}/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return 0
    match = re.search(r"^VmHWM:\s+(\d+) kB", status, re.MULTILINE)
    return int(match[1]) // 2**10 if match else 0


def _lower(limit: int, value: int) -> None:
    import resource

    hard = resource.getrlimit(limit)[1]
    target = value if hard == resource.RLIM_INFINITY else min(value, hard)
    try:
        resource.setrlimit(limit, (target, target))
    except (OSError, ValueError) as error:  # macOS refuses some of them
        logger.info("limit %s not set: %s", limit, error)


def _linux() -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_PR_SET_PDEATHSIG, _SIGKILL, 0, 0, 0)
    architecture = _ARCHITECTURES.get(platform.machine())
    if architecture is None or libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        logger.info("no network filter on this machine")
        return
    rules = b"".join(_filter(*architecture))
    buffer = ctypes.create_string_buffer(rules, len(rules))
    program = struct.pack("HP", len(rules) // 8, ctypes.addressof(buffer))
    if libc.prctl(_PR_SET_SECCOMP, _MODE_FILTER, ctypes.c_char_p(program), 0, 0) != 0:
        logger.info("network filter refused: %s", os.strerror(ctypes.get_errno()))


def _filter(architecture: int, socket: int) -> list[bytes]:
    """BPF: only AF_UNIX sockets and no io_uring, which could open others; foreign call tables are refused."""
    return [
        _bpf(_LOAD, _ARCH),
        _bpf(_EQUAL, architecture, 0, 7),
        _bpf(_LOAD, _NUMBER),
        _bpf(_AT_LEAST, _X32, 5, 0),
        _bpf(_EQUAL, _IO_URING_SETUP, 4, 0),
        _bpf(_EQUAL, socket, 0, 2),
        _bpf(_LOAD, _FIRST_ARGUMENT),
        _bpf(_EQUAL, _AF_UNIX, 0, 1),
        _bpf(_RETURN, _ALLOW),
        _bpf(_RETURN, _ERRNO | _EACCES),
    ]


def _bpf(code: int, value: int, then: int = 0, otherwise: int = 0) -> bytes:
    return struct.pack("HBBI", code, then, otherwise, value)
