"""``python -m tribin`` is the command."""

from tribin._command import main

main()
