"""Work in a child process that has to say that it finished: what ends or crashes Python ends the child alone.

What the work writes to the file descriptors 1 and 2, or leaves to threads, forks and atexit, goes nowhere.
"""

import os
import pickle
import select
import struct

HEAD = struct.Struct("<Q")


class Ended(Exception):
    """The child ended without a report: by os._exit, a signal, or a crash."""


def apart(work):
    """``work()``, which has to be plain data; `Ended` where it never came. Where there is no fork, it is done here."""
    if not hasattr(os, "fork"):
        return work()
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        _report(work, writing)
    os.close(writing)
    try:
        return _read(reading, child)
    finally:
        os.close(reading)


def _report(work, writing):
    """In the child: do the work, report, and go at once."""
    me, nowhere = os.getpid(), os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nowhere, descriptor)
    try:
        data = pickle.dumps(work())
        if os.getpid() == me:  # a fork of the code under test has nothing to say
            os.write(writing, HEAD.pack(len(data)))
            with os.fdopen(os.dup(writing), "wb") as pipe:
                pipe.write(data)
    except KeyboardInterrupt:
        os._exit(130)
    finally:
        os._exit(0)


def _read(reading, child):
    data, status = b"", None
    while len(data) < HEAD.size or len(data) < HEAD.size + HEAD.unpack_from(data)[0]:
        ready = select.select([reading], [], [], 0.05 if status is None else 0)[0]
        if ready and (more := os.read(reading, 1 << 16)):
            data += more
        elif status is not None:
            raise Ended(_said(status))
        else:  # it may have left others behind, who hold the pipe open
            ended, code = os.waitpid(child, 0 if ready else os.WNOHANG)
            status = code if ended else None
    if status is None:
        os.waitpid(child, 0)
    return pickle.loads(data[HEAD.size :])


def _said(status):
    if os.WIFSIGNALED(status):
        return f"the code ended Python by the signal {os.WTERMSIG(status)}"
    return f"the code ended Python with the status {os.WEXITSTATUS(status)}, past every except and finally"
