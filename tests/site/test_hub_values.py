"""The values of docs/hosting.md for Kubernetes are fields that the chart has: Helm refuses a misspelt one."""

import copy
import re
from functools import reduce
from operator import getitem

import jsonschema
import pytest
import yaml
from course import ROOT

HOSTING = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
VALUES = yaml.safe_load(re.search(r"^```yaml\n(.*?)^```", HOSTING, re.M | re.S)[1])

# The fields that we use, and no other, with the types of the schema that the chart publishes: zero-to-jupyterhub-k8s,
# jupyterhub/values.schema.yaml, read at commit 02dd73d, from the time of chart 3. The values that chart 4.1.0 comes
# with have every one of these fields, and its list of changes takes none away up to 4.4.0 of June 2026, the version
# that docs/hosting.md names. What the schema leaves open (extraEnv, hub.config) is closed here: a variable is text, and
# KubeSpawner has this trait.
FIELDS = """
hub:
  concurrentSpawnLimit: [integer, "null"]
  config:
    KubeSpawner:
      working_dir: [string, "null"]
singleuser:
  image: { name: string, tag: string }
  defaultUrl: [string, "null"]
  memory: { guarantee: [number, string, "null"], limit: [number, string, "null"] }
  cpu: { guarantee: [number, "null"], limit: [number, "null"] }
  extraEnv: { OMP_NUM_THREADS: string }
  startTimeout: [integer, "null"]
  storage: { capacity: [string, "null"] }
scheduling:
  podPriority: { enabled: boolean }
  userPlaceholder: { enabled: boolean, replicas: integer }
prePuller:
  continuous: { enabled: boolean }
cull: { enabled: boolean, timeout: [integer, "null"], every: [integer, "null"] }
"""


def schema(fields):
    """As the chart's own: each object is closed, so that a name that it does not know is an error."""
    if not isinstance(fields, dict):
        return {"type": fields}
    properties = {name: schema(below) for name, below in fields.items()}
    return {"type": "object", "additionalProperties": False, "properties": properties}


SCHEMA = schema(yaml.safe_load(FIELDS))


def paths(values, above=()):
    """The way to every field, from the outermost to the leaves."""
    for name, below in values.items():
        yield (*above, name)
        if isinstance(below, dict):
            yield from paths(below, (*above, name))


PATHS = [*paths(VALUES)]


CHANGES = {
    "misspelt": lambda parent, name: parent.update({name + "s": parent.pop(name)}),
    "of another kind": lambda parent, name: parent.update({name: ["a list is allowed nowhere"]}),
}


def refused(path, change):
    """Do the values break the schema, once `change` has got the object of the path's last step, and its name?"""
    values = copy.deepcopy(VALUES)
    assert "4.4.0" in HOSTING and jsonschema.Draft7Validator(SCHEMA).is_valid(values)
    change(reduce(getitem, path[:-1], values), path[-1])
    return not jsonschema.Draft7Validator(SCHEMA).is_valid(values)


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("path", PATHS, ids=".".join)
def test_a_field_that_is_changed_is_refused(path, change):
    assert refused(path, CHANGES[change])


@pytest.mark.parametrize(
    ("path", "value"),
    [("singleuser.cpu.limit", "2"), ("singleuser.image.tag", 1), ("singleuser.extraEnv.OMP_NUM_THREADS", 1)],
)
def test_a_number_and_its_text_are_told_apart(path, value):
    assert refused(path.split("."), lambda parent, name: parent.update({name: value}))
