"""Stop a function that does not come to an end: by an alarm in the main thread, by a second thread elsewhere.

What counts is the processor's time that it uses: a busy machine, a download or a slow import are waited for.
"""

import ctypes
import signal
import threading
import time
from functools import partial

PATIENCE = 90.0  # seconds of the clock, for what waits without computing
REFIRE = 1e-4  # seconds, once the time is up: a loop with `except:` swallows most alarms, and one has to come outside
STEP = 0.05  # how often the clocks are read, in seconds
STOPS = 1000  # how often a thread is told to stop


class OutOfTime(BaseException):
    """Not an Exception, so that the ``except Exception`` of the code under test does not swallow it."""


def limited(work, seconds):
    """``work()``, or `OutOfTime` after ``seconds`` of computing or `PATIENCE` altogether."""
    if threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer"):
        return _by_alarm(work, seconds)
    return by_thread(work, partial(watched, seconds), OutOfTime)


def watched(seconds, processor=time.thread_time):
    """A function that gives "" until the time is up, and then the time that was used, in words."""
    computed, started, patience = processor(), time.monotonic(), max(seconds, PATIENCE)

    def time_up():
        if processor() - computed > seconds:
            return f"{seconds:g} seconds of computing"
        return f"{patience:g} seconds" if time.monotonic() - started > patience else ""

    return time_up


def _by_alarm(work, seconds):
    running, stopped, time_up = True, False, watched(seconds)

    def ring(signum, frame):
        nonlocal stopped
        if running and (stopped or time_up()):
            stopped = True
            signal.setitimer(signal.ITIMER_REAL, REFIRE, REFIRE)
            raise OutOfTime

    started = time.monotonic()
    old_handler = signal.signal(signal.SIGALRM, ring)
    step = min(STEP, seconds / 2)
    old_seconds, old_interval = signal.setitimer(signal.ITIMER_REAL, step, step)
    try:
        try:
            value = work()
        finally:
            running = False
        if stopped:  # the code under test has swallowed it, and given something all the same
            raise OutOfTime
        return value
    except OutOfTime:
        raise OutOfTime(time_up()) from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old_handler)
        if old_seconds:  # the caller had an alarm of its own
            left = old_seconds - (time.monotonic() - started)
            signal.setitimer(signal.ITIMER_REAL, max(left, 0.001), old_interval)


def by_thread(work, timer, end):
    """``work()``, in a thread that is stopped from this one; the exception ``end`` where its time is up.

    ``timer(clock)`` starts to count and returns a function like that of `watched`.
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
