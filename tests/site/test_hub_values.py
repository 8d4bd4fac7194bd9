"""The values of docs/hosting.md for Kubernetes are fields that the chart has: Helm refuses a misspelt one."""

import re

import jsonschema
import yaml
from course import HOSTING

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


def test_the_values_are_fields_of_the_chart():
    assert "4.4.0" in HOSTING
    values = yaml.safe_load(re.search(r"^```yaml\n(.*?)^```", HOSTING, re.M | re.S)[1])
    jsonschema.validate(values, schema(yaml.safe_load(FIELDS)), jsonschema.Draft7Validator)
