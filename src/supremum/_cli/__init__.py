"""The command line: what each command says, and the tour; ``supremum.__main__`` reads arguments and prints."""
