"""Waits for conditions instead of fixed times: how long things take depends on what else the machine does."""
import time


def wait_until(holds, seconds=60, pause=0.02):
    """Calls `holds` again and again; returns its first true answer, or the last one when the time is over."""
    end = time.monotonic() + seconds
    while not (answer := holds()) and time.monotonic() < end:
        time.sleep(pause)
    return answer


def eventually(attempt, seconds=60, pause=0.1):
    """Repeats `attempt` until it raises no AssertionError, and returns its result."""
    end = time.monotonic() + seconds
    while True:
        try:
            return attempt()
        except AssertionError:
            if time.monotonic() > end:
                raise
        time.sleep(pause)
