"""The commands of `python -m pe_course`, each in a module of its own name.

A module has ``fill(parser)``, which gives an argparse parser its description and its arguments, and ``run(options)``,
which returns the exit status. `pe_course.__main__` lists the commands, and loads the one that is asked for.
"""
