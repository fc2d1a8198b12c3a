"""Tables that are files: sections, rows of columns, rows that go on in the next line."""

from supremum._base.tables import read_table


def test_rows_of_sections(tmp_path):
    path = tmp_path / "table.txt"
    path.write_text("# a comment\n\n[first]\nx y | to  write |\nz | a long\n    row | b|c\n\n[second]\n", encoding="utf-8")
    assert read_table(path) == {"first": [["x y", "to write", ""], ["z", "a long row", "b", "c"]], "second": []}
