"""What is said: the findings, their words and their picture."""
