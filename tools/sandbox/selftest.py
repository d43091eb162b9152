"""What the native sandbox tries on itself before it is trusted: a program that lists what it was not kept from."""

BREACHES = """
import ctypes, os, socket, sys

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

def starts():
    os.posix_spawn("/bin/true", ["true"], {})

def signals():
    os.kill(os.getppid(), 0)

def other_memory():
    open(f"/proc/{os.getppid()}/environ", "rb").read()

def raw_call():
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syscall(425, 4, ctypes.create_string_buffer(256)) < 0 and libc.unshare(0x10000000) < 0:
        raise OSError

def memory():
    bytearray(8 << 30)

def secrets():
    if not any("KEY" in name or "TOKEN" in name or "SECRET" in name for name in os.environ):
        raise OSError

answer = []
attempts = (reads, lists_home, writes, connects, talks_local, forks, starts, signals, other_memory, raw_call, memory)
for attempt in (*attempts, secrets):
    try:
        attempt()
        answer.append(attempt.__name__)
    except (OSError, MemoryError):
        continue
"""
