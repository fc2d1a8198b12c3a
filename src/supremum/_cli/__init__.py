"""The commands of the command line, and the tour; ``supremum.__main__`` parses arguments and prints."""
