"""Find out how a stranger's function or class wants to be called."""
