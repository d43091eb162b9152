"""30 attempts to break out of a sandbox or to use up the machine. Each leaves True in `answer` when it got through.

`{secret}`, `{folder}`, `{socket}` and `{port}` are things of the host that the test has put there as bait.
"""

HARMLESS = {
    "hello": "answer = sum(range(10)) == 45",
    "symbolic": (
        "import sympy\nx = sympy.Symbol('x')\n"
        "answer = str(sympy.integrate(x**2, x)) == 'x**3/3' and float(sympy.nsolve(x**3 - 2, 1)) > 1.25"
    ),
}

_TRY = "answer = False\ntry:\n{body}\nexcept BaseException as error:\n    print(type(error).__name__, error)\n"


def _attempt(*lines: str) -> str:
    return _TRY.replace("{body}", "\n".join(f"    {line}" for line in lines))


ATTEMPTS = {
    "read_passwd": _attempt("answer = 'root' in open('/etc/passwd').read()"),
    "read_secret": _attempt("answer = 'hunter2' in open({secret!r}).read()"),
    "list_folder": _attempt("import os", "answer = bool(os.listdir({folder!r}))"),
    "write_outside": _attempt("open({folder!r} + '/pwned.txt', 'w').write('x')", "answer = True"),
    "write_here": _attempt("open('pwned.txt', 'w').write('x')", "answer = True"),
    "key_in_environment": _attempt("import os", "answer = any('KEY' in name for name in os.environ)"),
    "parent_environment": _attempt(
        "import os",
        "for pid in filter(str.isdigit, os.listdir('/proc')):",
        "    try: answer = answer or b'hunter2' in open('/proc/' + pid + '/environ', 'rb').read()",
        "    except OSError: pass",
    ),
    "parent_memory": _attempt(
        "import os",
        "start = int(open('/proc/%d/maps' % os.getppid()).readline().split('-')[0], 16)",
        "memory = open('/proc/%d/mem' % os.getppid(), 'rb')",
        "memory.seek(start)",
        "answer = bool(memory.read(4))",
    ),
    "tcp": _attempt("import socket", "socket.create_connection(('127.0.0.1', {port}), 2)", "answer = True"),
    "udp": _attempt(
        "import socket",
        "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'out', ('127.0.0.1', {port}))",
        "answer = True",
    ),
    "unix_socket": _attempt("import socket", "socket.socket(socket.AF_UNIX).connect({socket!r})", "answer = True"),
    "shell": _attempt("import os", "answer = os.system('touch {folder}/pwned.txt') == 0"),
    "subprocess": _attempt(
        "import subprocess", "answer = subprocess.run(['/bin/touch', {folder!r} + '/pwned.txt']).returncode == 0"
    ),
    "classes": _attempt(
        "for cls in ().__class__.__base__.__subclasses__():",
        "    if cls.__name__ == '_wrap_close':",
        "        answer = 'hunter2' in cls.__init__.__globals__['__builtins__']['open']({secret!r}).read()",
    ),
    "frames": _attempt(
        "try: 1 / 0",
        "except ZeroDivisionError as error:",
        "    frame = error.__traceback__.tb_frame",
        "while frame.f_back: frame = frame.f_back",
        "built = frame.f_globals['__builtins__']",
        "built = built if isinstance(built, dict) else vars(built)",
        "answer = 'hunter2' in built['open']({secret!r}).read()",
    ),
    "sympify": _attempt(
        "import sympy", "answer = 'hunter2' in str(sympy.sympify('open(' + repr({secret!r}) + ').read()'))"
    ),
    "numpy_file": _attempt("import numpy", "answer = b'hunter2' in bytes(numpy.fromfile({secret!r}, dtype='u1'))"),
    "system_call": _attempt(
        "import ctypes",
        "libc = ctypes.CDLL(None)",
        "handle = libc.open({secret!r}.encode(), 0)",
        "buffer = ctypes.create_string_buffer(100)",
        "answer = handle >= 0 and libc.read(handle, buffer, 100) > 0",
    ),
    "io_uring": _attempt(
        "import ctypes", "answer = ctypes.CDLL(None).syscall(425, 4, ctypes.create_string_buffer(256)) >= 0"
    ),
    "user_namespace": _attempt("import ctypes", "answer = ctypes.CDLL(None).unshare(0x10000000) == 0"),
    "kill_parent": _attempt("import os", "os.kill(os.getppid(), 0)", "answer = True"),
    "many_processes": _attempt(
        "import os, time",
        "for _ in range(300):",
        "    if os.fork() == 0:",
        "        time.sleep(1)",
        "        os._exit(0)",
        "answer = True",
    ),
    "daemon": _attempt(
        "import os, time",
        "if os.fork() == 0:",
        "    os.setsid()",
        "    if os.fork() == 0:",
        "        time.sleep(1)",
        "        open({folder!r} + '/survived.txt', 'w').write('x')",
        "    os._exit(0)",
        "answer = True",
    ),
    "much_memory": _attempt("answer = len(bytearray(10 * 2**30)) > 0"),
    "touched_memory": _attempt(
        "blocks = []", "for _ in range(30): blocks.append(b'1' * (100 * 2**20))", "answer = len(blocks) == 30"
    ),
    "fill_the_disk": _attempt(
        "file = open('big.bin', 'wb')", "for _ in range(30): file.write(b'x' * (10 * 2**20))", "answer = True"
    ),
    "unknown_tool": _attempt("tool('run_shell', command='id')", "answer = True"),
}

# What must be stopped by a limit, and the kinds of failure that say so.
STOPPED = {
    "endless_loop": ("while True: pass", {"timeout"}),
    "slow_pattern": ("import re\nre.match('(a+)+$', 'a' * 40 + 'b')", {"timeout"}),
    "much_output": ("import sys\nfor _ in range(100): sys.stdout.write('x' * 2**20)", {"limit"}),
    "deep_recursion": ("def f(): return f()\nf()", {"limit"}),
    "large_number": ("answer = len(str(bin(7 ** 300000000)))", {"timeout", "limit"}),
}
