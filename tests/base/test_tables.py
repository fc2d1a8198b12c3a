"""Tables that are files: sections, rows of columns, rows that go on in the next line."""

from supremum._base.tables import read_table


def test_rows_of_sections(tmp_path, monkeypatch):
    (tmp_path / "with_a_table").mkdir()
    (tmp_path / "with_a_table/__init__.py").touch()
    text = "# a comment\n\n[first]\nx y | to  write |\nz | a long\n    row | b|c\n\n[second]\n"
    (tmp_path / "with_a_table/table.txt").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    found = read_table("with_a_table.module", "table.txt")
    assert found == {"first": [["x y", "to write", ""], ["z", "a long row", "b", "c"]], "second": []}
