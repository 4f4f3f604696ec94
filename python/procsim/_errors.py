class Error(Exception):
    """A failure that its caller can mend. The message is one line: what went wrong, where, what to do next."""


class UsageError(Error, ValueError):
    """An argument that cannot be meant."""
