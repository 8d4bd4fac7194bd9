"""Programs of the browser, run without one: by the Node that comes with Playwright, which the tests need anyway."""

import json
import subprocess

from playwright._impl._driver import compute_driver_executable


def computed(source, expression):
    """The value of a JavaScript expression after the module ``source``, as Python reads its JSON."""
    node, _ = compute_driver_executable()
    program = f"{source}\nprocess.stdout.write(JSON.stringify({expression}));"
    done = subprocess.run([node, "--input-type=module"], input=program, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)
