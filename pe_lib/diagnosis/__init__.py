"""Look at a table or a layer from outside and say whether it is right, and what is wrong with it."""

from .layer import diagnose_layer
from .result import Diagnosis, Finding
from .table import diagnose_table

__all__ = ["Diagnosis", "Finding", "diagnose_layer", "diagnose_table"]
