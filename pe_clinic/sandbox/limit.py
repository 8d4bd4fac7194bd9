"""Stop a function that does not come to an end: by an alarm in the main thread, by a second thread elsewhere.

What counts is the processor's time that it uses: a busy machine, a download or a slow import are waited for.
"""

import ctypes
import signal
import threading
import time

PATIENCE = 90.0  # seconds of the clock, for what waits without computing
STEP = 0.05  # how often the clocks are read, in seconds
REFIRE = 1e-4  # seconds, once the time is up: a loop with `except:` swallows most alarms, and one has to come outside
STOPS = 1000  # how often a thread is told to stop


class OutOfTime(BaseException):
    """Not an Exception, so that the ``except Exception`` of the code under test does not swallow it."""


class Clocks:
    """Is the time up? ``seconds`` of the processor in this thread, or ``patience`` seconds of the clock on the wall."""

    def __init__(self, seconds, patience, processor=time.thread_time):
        self.seconds, self.patience, self.processor = seconds, patience, processor
        self.started = self.processor(), time.monotonic()

    def up(self):
        return self._computed() > self.seconds or time.monotonic() - self.started[1] > self.patience

    def said(self):
        """After what it was stopped, in words."""
        computed = self._computed() > self.seconds
        return f"{self.seconds:g} seconds of computing" if computed else f"{self.patience:g} seconds"

    def _computed(self):
        return self.processor() - self.started[0]


def limited(work, seconds, patience=None):
    """``work()``, or `OutOfTime` after ``seconds`` of computing or ``patience`` seconds altogether."""
    patience = max(seconds, PATIENCE) if patience is None else patience
    in_main_thread = threading.current_thread() is threading.main_thread()
    by = _by_alarm if in_main_thread and hasattr(signal, "setitimer") else _by_thread
    return by(work, seconds, patience)


def _by_alarm(work, seconds, patience):
    running, stopped, clocks = True, False, Clocks(seconds, patience)

    def ring(signum, frame):
        nonlocal stopped
        if running and (stopped or clocks.up()):
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
        raise OutOfTime(clocks.said()) from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old_handler)
        if old_seconds:  # the caller had an alarm of its own
            left = old_seconds - (time.monotonic() - started)
            signal.setitimer(signal.ITIMER_REAL, max(left, 0.001), old_interval)


def _by_thread(work, seconds, patience):
    result, begin = {}, threading.Event()

    def target():
        begin.wait()
        try:
            result["value"] = work()
        except BaseException as error:
            result["error"] = error

    thread = threading.Thread(target=target, daemon=True)
    thread.start()
    clocks = Clocks(seconds, patience, _processor_time_of(thread))  # once a thread has ended, asking may crash
    begin.set()
    while thread.is_alive() and not clocks.up():
        thread.join(min(STEP, seconds / 2))
    if thread.is_alive():
        said = clocks.said()  # before it ends: a thread that has ended has no clock
        _stop(thread)
        raise OutOfTime(said)
    if "error" in result:
        raise result["error"]
    return result["value"]


def _stop(thread):
    """Raise OutOfTime in it at its next line of Python, until it ends; a loop inside C code cannot be stopped."""
    for _ in range(STOPS):
        if not thread.is_alive():
            return
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(OutOfTime))
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
