# Jupyter runs this file, and gives it c.
# ruff: noqa: F821
from pathlib import Path

# A kernel that nobody has used for 45 minutes ends, also where its tab is still open.
c.MappingKernelManager.cull_idle_timeout = 2700
c.MappingKernelManager.cull_interval = 60
c.MappingKernelManager.cull_connected = True

# custom.css lies beside this file: figures suit a dark theme.
c.LabApp.custom_css = True
c.ServerApp.tornado_settings = {"static_custom_path": [str(Path(__file__).parent / "custom")]}
