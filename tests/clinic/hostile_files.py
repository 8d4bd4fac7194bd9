"""Two hundred files that do harm where they can: from a name to a source that has a function or class ``table``.

Each file is a thing that is done, put in each place from which it can be done: while the file is loaded, while the
function runs, in a thread, when Python ends, when an object is looked at, thrown away, or printed.
"""

RIGHT = """
import numpy as np
def right(max_len, d_model):
    j = np.arange(d_model)
    angle = np.arange(max_len)[:, None] / 10000 ** (2 * (j // 2) / d_model)
    return np.where(j % 2, np.cos(angle), np.sin(angle))
"""

# What is done, as one or more lines.
ENDS = {
    "os._exit(0)": "import os; os._exit(0)",
    "os._exit(1)": "import os; os._exit(1)",
    "SystemExit(0)": "raise SystemExit(0)",
    "sys.exit in words": "import sys; sys.exit('done')",
    "KeyboardInterrupt": "raise KeyboardInterrupt",
    "GeneratorExit": "raise GeneratorExit",
    "BaseException": "raise BaseException('no')",
    "kill -9": "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
    "kill -15": "import os, signal; os.kill(os.getpid(), signal.SIGTERM)",
    "abort": "import os; os.abort()",
    "segmentation fault": "import ctypes; ctypes.string_at(0)",
    "recursion": "f = lambda n: f(n + 1)\nf(0)",
    "memory": "x = [0] * 10 ** 14",
}
WRITES = {
    "print": "print('{' * 1000)",
    "a huge print": "print('x' * 10_000_000)",
    "file descriptor 1": "import os; os.write(1, b'spoiled')",
    "file descriptor 2": "import os; os.write(2, b'spoiled')",
    "every file descriptor that is open": (
        "import os\nfor n in range(3, 40):\n    try: os.write(n, b'spoiled')\n    except OSError: pass"
    ),
    "a program": "import os; os.system('echo spoiled')",
    "sys.__stdout__": "import sys; sys.__stdout__.write('spoiled'); sys.__stdout__.flush()",
    "stdout closed": "import sys; sys.stdout.close()",
    "every file descriptor closed": "import os; os.closerange(0, 40)",
    "stdout gone": "import sys; sys.stdout = sys.stderr = None",
    "stdout another": "import sys, io; sys.stdout = io.BytesIO()",
    "terminal escapes": "print('\\033[2J\\007')",
    "a lone surrogate": "print('\\ud800')",
}
CHANGES = {
    "default dtype": "import torch; torch.set_default_dtype(torch.float64)",
    "default device": "import torch; torch.set_default_device('meta')",
    "threads of torch": "import torch; torch.set_num_threads(1)",
    "grad mode": "import torch; torch.set_grad_enabled(False)",
    "deterministic": "import torch; torch.use_deterministic_algorithms(True)",
    "anomaly": "import torch; torch.autograd.set_detect_anomaly(True)",
    "autocast": "import torch; torch.set_autocast_enabled('cpu', True)",
    "builtins gone": "import builtins; builtins.len = builtins.isinstance = builtins.sorted = None",
    "builtins that raise": "import builtins\ndef no(*a, **k): raise SystemExit(0)\nbuiltins.print = builtins.repr = no",
    "import": "import builtins\ndef no(*a, **k): raise ImportError('no')\nbuiltins.__import__ = no",
    "json": "import json\njson.dumps = lambda *a, **k: '{'\njson.JSONEncoder.encode = lambda *a: '{'",
    "json is gone": "import sys; sys.modules['json'] = None",
    "all modules are gone": "import sys; sys.modules.clear()",
    "the clinic's own modules": (
        "import sys\nfor n in [n for n in sys.modules if n.startswith('pe_')]: sys.modules[n] = None"
    ),
    "numpy is another": "import sys; sys.modules['numpy'] = 7",
    "os functions": "import os\nos._exit = os.write = os.getpid = lambda *a: 0",
    "SIGALRM is ignored": "import signal; signal.signal(signal.SIGALRM, signal.SIG_IGN)",
    "signals raise": (
        "import signal\ndef no(*a): raise SystemExit(0)\n"
        "signal.signal(signal.SIGALRM, no); signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)"
    ),
    "the environment": "import os; os.environ.clear()",
    "the working folder": "import os; os.chdir('/')",
    "sys.path": "import sys; sys.path.clear()",
    "warnings are errors": "import warnings; warnings.simplefilter('error')",
    "random is seeded": "import random; random.seed = None",
    "recursion limit": "import sys; sys.setrecursionlimit(60)",
    "a tracer": "import sys; sys.settrace(lambda *a: 1 / 0)",
    "a profiler": "import sys; sys.setprofile(lambda *a: 1 / 0)",
    "excepthook": "import sys; sys.excepthook = None",
    "atexit": "import atexit, os; atexit.register(os._exit, 0)",
}
LEAVES = {
    "a thread that lives on": (
        "import threading, time\nthreading.Thread(target=lambda: [time.sleep(0.05) for _ in range(10**6)]).start()"
    ),
    "a thread that ends Python": (
        "import os, threading\nthreading.Timer(0.2, os._exit, (0,)).start()\nimport time; time.sleep(1)"
    ),
    "a thread with SystemExit": "import threading\nt = threading.Thread(target=exit); t.start(); t.join()",
    "a fork that goes on": "import os; os.fork()",
    "a fork that waits": "import os, time\nif os.fork() == 0: time.sleep(300)",
    "a program that waits": "import subprocess; subprocess.Popen(['sleep', '300'])",
}
LOOPS = {
    "a loop": "while True: pass",
    "a loop that swallows": "while True:\n    try: x = 1\n    except BaseException: pass",
    "a sleep": "import time; time.sleep(10**6)",
    "one long step of C": "x = 7 ** (10 ** 9)",
    "a loop without an alarm": (
        "import signal; signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())\nwhile True: pass"
    ),
}
# What comes back, as an expression; `Thing` raises where it is looked at.
LOOKED_AT = (
    *("__class__", "__len__", "__iter__", "__array__", "__getitem__", "__bool__", "__hash__", "__eq__", "shape"),
    *("dtype", "__float__", "__index__", "detach", "__dict__"),
)
COMES_BACK = {
    "a nested tensor": "__import__('torch').nested.nested_tensor([__import__('torch').zeros(3)])",
    "a list within itself": "(lambda x: x.append(x) or x)([])",
    "a list nested deep": "__import__('functools').reduce(lambda x, _: [x], range(100_000), [])",
    "a broadcast of terabytes": "__import__('numpy').broadcast_to(1.0, (10**6, 10**6))",
    "a huge whole number": "10 ** 5000",
    "an endless generator": "__import__('itertools').count()",
    "a module": "__import__('os')",
    "a sparse tensor": "__import__('torch').eye(max_len, d_model).to_sparse()",
    "a tensor on meta": "__import__('torch').zeros(max_len, d_model, device='meta')",
    "a quantized tensor": (
        "__import__('torch').quantize_per_tensor("
        "__import__('torch').zeros(max_len, d_model), 0.1, 0, __import__('torch').qint8)"
    ),
    "an array of objects": "__import__('numpy').full((max_len, d_model), object())",
    "a structured array": "__import__('numpy').zeros((max_len, d_model), 'i4,f8')",
    "surrogates": "'\\ud800' * 3",
}


def _indented(text, by="    "):
    return "\n".join(by + line for line in text.splitlines())


def _at_import(what):
    return f"{RIGHT}\n{what}\ntable = right\n"


def _in_the_call(what):
    return f"{RIGHT}\ndef table(max_len, d_model):\n{_indented(what)}\n    return right(max_len, d_model)\n"


def _in_forward(what):
    return (
        f"{RIGHT}\nimport torch\nclass table(torch.nn.Module):\n    def __init__(self, d_model, max_len):\n"
        "        super().__init__()\n        table = torch.tensor(right(max_len, d_model))\n"
        "        self.register_buffer('pe', table.float())\n"
        f"    def forward(self, x):\n{_indented(what, ' ' * 8)}\n        return x + self.pe[: x.shape[1]]\n"
    )


def _when_thrown_away(what):
    return (
        f"{RIGHT}\nclass Held:\n    def __del__(self):\n{_indented(what, ' ' * 8)}\n"
        "def table(max_len, d_model):\n    Held()\n    return right(max_len, d_model)\n"
    )


def _in_the_words_of_its_error(what):
    return (
        f"class Bad(Exception):\n    def __str__(self):\n{_indented(what, ' ' * 8)}\n    __repr__ = __str__\n"
        "def table(max_len, d_model):\n    raise Bad\n"
    )


def _returns(expression):
    return f"{RIGHT}\ndef table(max_len, d_model):\n    return {expression}\n"


def _thing(attribute, does):
    return (
        f"class Thing:\n    def __getattribute__(self, name):\n        if name == {attribute!r}:\n"
        f"            {does}\n        return object.__getattribute__(self, name)\n"
        f"    def {attribute}(self, *more):\n        {does}\n"
        "def table(max_len, d_model):\n    return Thing()\n"
    )


def files():
    """(name, source) of every file."""
    places = {"at import": _at_import, "in the call": _in_the_call, "in forward": _in_forward}
    for done in (ENDS, WRITES, CHANGES, LEAVES):
        for what, lines in done.items():
            for place, put in places.items():
                yield f"{what}, {place}", put(lines)
    for what in ("os._exit(0)", "SystemExit(0)", "kill -9", "recursion"):
        yield f"{what}, when an object is thrown away", _when_thrown_away(ENDS[what])
        yield f"{what}, in the words of its error", _in_the_words_of_its_error(ENDS[what])
    for what, lines in LOOPS.items():
        yield f"{what}, in the call", _in_the_call(lines)
    for attribute in LOOKED_AT:
        yield f"raises in {attribute}", _thing(attribute, "raise RuntimeError('not for you')")
        yield f"leaves in {attribute}", _thing(attribute, "raise SystemExit(0)")
    for what, expression in COMES_BACK.items():
        yield f"gives {what}", _returns(expression)
