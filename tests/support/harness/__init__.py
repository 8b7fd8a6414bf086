"""The Python runners of tests/ share this: running programs, their environment, checks, scratch files, waiting, terminals.

A runner finds the package with `sys.path.append(f"{sys.path[0]}/../support")`. Modules are imported one by one, since
golden.py starts once for each pair and must start fast."""
