"""Work in a child process that has to say that it finished: what ends, crashes or stops Python ends the child alone.

What the work writes to the file descriptors 1 and 2, or leaves to threads, forks and atexit, goes nowhere. On Linux it
gets half of the machine's memory: what asks for more meets an error, and the machine goes on.
"""

import ast
import ctypes
import os
import select
import signal
import struct
import time
from contextlib import suppress
from os import _exit, getpid, write  # taken before anybody can replace them

HEAD = struct.Struct("<Q")
SECONDS = 900.0  # of the clock: for what no alarm stops
PR_SET_PDEATHSIG = 1  # of Linux' prctl: the signal that a process gets when its parent ends


class Ended(Exception):
    """The child ended without a report: by os._exit, a signal, a crash, or because its time was up."""


def apart(work, seconds=SECONDS):
    """``work()``, which has to be plain data; `Ended` where it never came. Where there is no fork, it is done here."""
    if not hasattr(os, "fork"):
        return work()
    while (spare := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass  # a closed 0, 1 or 2 is opened: a pipe must not be mistaken for the screen
    os.close(spare)
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        _report(work, writing)
    os.close(writing)
    try:
        report = _read(reading, child, time.monotonic() + seconds)
    finally:
        os.close(reading)
        status = _end(child)
    if report is None:
        raise Ended(_said(status, seconds))
    try:
        return ast.literal_eval(report.decode("ascii"))
    except (SyntaxError, ValueError):
        raise Ended("the code wrote into the report of the diagnosis") from None


def _report(work, writing):
    """In the child, which leads a group of its own: do the work, report, and go at once."""
    me, nowhere = getpid(), os.open(os.devnull, os.O_RDWR)
    try:
        os.setsid()
        with suppress(AttributeError, OSError):  # only Linux has it: a caller that is killed leaves nothing behind
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        for descriptor in (0, 1, 2):
            os.dup2(nowhere, descriptor)
        os.closerange(3, writing)  # what the caller has open is nothing to the code under test
        os.closerange(writing + 1, max(256, writing + 64))
        with suppress(ImportError, OSError, ValueError):  # not on Linux, or less is allowed already
            _limit_memory()
        data = f"{work()!a}".encode("ascii")
        data = HEAD.pack(len(data)) + data
        while data and getpid() == me:  # a fork of the code under test has nothing to say
            data = data[write(writing, data) :]
    finally:
        _exit(0)


def _limit_memory():
    import resource

    with open("/proc/self/statm") as sizes:
        pages = int(sizes.read().split()[0]) + os.sysconf("SC_PHYS_PAGES") // 2
    now, most = resource.getrlimit(resource.RLIMIT_AS)
    share = pages * os.sysconf("SC_PAGE_SIZE")
    resource.setrlimit(resource.RLIMIT_AS, (share if now == resource.RLIM_INFINITY else min(now, share), most))


def _read(reading, child, end):
    """The report; None where the child ended without one, or its time was up."""
    data, ended = b"", False
    while len(data) < HEAD.size or len(data) < HEAD.size + HEAD.unpack_from(data)[0]:
        if select.select([reading], [], [], 0 if ended else 0.05)[0] and (more := os.read(reading, 1 << 16)):
            data += more
        elif ended or time.monotonic() > end:
            return None
        else:  # it may have left others behind, who hold the pipe open
            ended = os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    return data[HEAD.size :]


def _end(child):
    """End the child and what it left behind; returns its status."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)
    with suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    return os.waitpid(child, 0)[1]


def _said(status, seconds):
    if os.WIFEXITED(status):
        return f"the code ended Python with the status {os.WEXITSTATUS(status)}, past every except and finally"
    if os.WTERMSIG(status) == signal.SIGKILL:
        return f"the code was killed, or had not finished after {seconds:g} seconds"
    return f"the code ended Python by the signal {os.WTERMSIG(status)}"
