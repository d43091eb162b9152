"""The self-test of the native sandbox: a program that lists what it was not kept from."""

MEMORY = 256 << 20  # bytes the self-test may use

BREACHES = """
import ctypes, mmap, os, resource, socket, sys

libc = ctypes.CDLL(None, use_errno=True)

def reads():
    open("/etc/passwd").read()

def lists_home():
    os.listdir(os.path.expanduser("~")) if os.path.expanduser("~") != "/" else os.listdir("/etc")

def writes():
    for folder in ("/tmp", "/var/tmp", ".", "/dev/shm"):
        try:
            open(folder + "/soprag-selftest", "w").write("x")
            return
        except OSError:
            continue
    raise OSError

def connects():
    socket.socket(socket.AF_INET, socket.SOCK_STREAM)

def talks_local():
    socket.socket(socket.AF_UNIX)

def forks():
    if os.fork() == 0:
        os._exit(0)

def clones():
    # a new process by clone and by clone3, which ends at once
    for arguments in ((56, 17, 0, 0, 0, 0), (435, ctypes.create_string_buffer(88), 88)):
        pid = libc.syscall(*arguments)
        if pid == 0:
            os._exit(0)
        if pid > 0:
            return
    raise OSError

def starts():
    os.posix_spawn("/bin/true", ["true"], {})

def leaves_session():
    os.setsid()

def signals():
    os.kill(os.getppid(), 0)

def reads_parent():
    open(f"/proc/{os.getppid()}/environ", "rb").read()

def raw_call():
    if libc.syscall(425, 4, ctypes.create_string_buffer(256)) < 0 and libc.unshare(0x10000000) < 0:
        raise OSError

def memory():
    bytearray(300 << 20)

def shared_memory():
    mmap.mmap(-1, 4096)

def memory_file():
    os.memfd_create("selftest")

def raises_limit():
    for limit in (resource.RLIMIT_DATA, resource.RLIMIT_CPU):
        if resource.getrlimit(limit)[1] == resource.RLIM_INFINITY:
            return
    try:
        resource.setrlimit(resource.RLIMIT_DATA, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    except ValueError:
        raise OSError

def secrets():
    if not any("KEY" in name or "TOKEN" in name or "SECRET" in name for name in os.environ):
        raise OSError

answer = []
attempts = (reads, lists_home, writes, connects, talks_local, forks, clones, starts, leaves_session, signals)
for attempt in (*attempts, reads_parent, raw_call, memory, shared_memory, memory_file, raises_limit, secrets):
    try:
        attempt()
        answer.append(attempt.__name__)
    except (OSError, MemoryError):
        continue
"""
