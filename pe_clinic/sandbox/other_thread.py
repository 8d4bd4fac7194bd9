"""Stop a function that does not come to an end where no alarm can: it runs in a thread of its own."""

import ctypes
import threading
import time

STEP = 0.05  # how often the clocks are read, in seconds
STOPS = 1000  # how often a thread is told to stop


def by_thread(work, timer, end):
    """``work()``, in a thread that is stopped from this one; the exception ``end`` where its time is up.

    ``timer(clock)`` begins to count, and gives a function: after what the time is up, in words, and "" before.
    """
    result, begin = {}, threading.Event()

    def target():
        begin.wait()
        try:
            result["value"] = work()
        except BaseException as error:
            result["error"] = error

    thread = threading.Thread(target=target, daemon=True)
    thread.start()
    time_up = timer(_processor_time_of(thread))  # once a thread has ended, asking may crash
    begin.set()
    while thread.is_alive() and not (after := time_up()):  # a thread that has ended has no clock
        thread.join(STEP)
    if thread.is_alive():
        _stop(thread, end)
        raise end(after)
    if "error" in result:
        raise result["error"]
    return result["value"]


def _stop(thread, end):
    """Raise ``end`` in it at its next line of Python, until it ends; a loop inside C code cannot be stopped."""
    for _ in range(STOPS):
        if not thread.is_alive():
            return
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(end))
        thread.join(1e-3)


def _processor_time_of(thread):
    """A clock of the processor's time that ``thread`` has used; where there is none, the clock on the wall."""
    try:
        clock = time.pthread_getcpuclockid(thread.ident)
        time.clock_gettime(clock)
    except (AttributeError, OSError):
        return time.monotonic

    def used():
        try:
            return time.clock_gettime(clock)
        except OSError:  # the thread has just ended
            return 0.0

    return used
