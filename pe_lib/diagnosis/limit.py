"""Run a function for at most some seconds: by an alarm in the main thread, by a second thread elsewhere."""

import ctypes
import signal
import threading
import time


class OutOfTime(BaseException):
    """Not an Exception, so that the ``except Exception`` of the code under test does not swallow it."""


def limited(work, seconds):
    """``work()``, or `OutOfTime` after ``seconds``."""
    in_main_thread = threading.current_thread() is threading.main_thread()
    return (_by_alarm if in_main_thread and hasattr(signal, "setitimer") else _by_thread)(work, seconds)


def _by_alarm(work, seconds):
    running = True

    def ring(signum, frame):
        if running:
            raise OutOfTime

    started = time.monotonic()
    old_handler = signal.signal(signal.SIGALRM, ring)
    # It rings again and again, because a bare `except:` inside a loop may swallow the first one.
    old_seconds, old_interval = signal.setitimer(signal.ITIMER_REAL, seconds, 0.2)
    try:
        try:
            return work()
        finally:
            running = False
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old_handler)
        if old_seconds:  # the caller had an alarm of its own
            left = old_seconds - (time.monotonic() - started)
            signal.setitimer(signal.ITIMER_REAL, max(left, 0.001), old_interval)


def _by_thread(work, seconds):
    result = {}

    def target():
        try:
            result["value"] = work()
        except BaseException as error:
            result["error"] = error

    thread = threading.Thread(target=target, daemon=True)
    thread.start()
    thread.join(seconds)
    for _ in range(5):
        if not thread.is_alive():
            break
        # Raises OutOfTime in that thread at its next line of Python; a loop inside C code cannot be stopped.
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(OutOfTime))
        thread.join(0.2)
        result["error"] = OutOfTime()
    if "error" in result:
        raise result["error"]
    return result["value"]
