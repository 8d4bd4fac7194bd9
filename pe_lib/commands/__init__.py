"""The commands of `python -m pe_lib`, each in a module of its own name; what begins with an underscore is part of one.

A module has ``fill(parser)``, which gives an argparse parser its description and its arguments, and ``run(options)``,
which returns the exit status. `pe_lib.__main__` lists the commands, and loads the one that is asked for.
"""
