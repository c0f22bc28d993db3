from pathlib import Path

from sandbox.ui.corpus_events import dropped_files, unique_names


def test_dropped_files_keep_the_names_the_user_chose() -> None:
    dropped = dropped_files(
        [
            {"path": "/tmp/x/最終版.pdf", "orig_name": "【最終版】.pdf"},
            {"path": "/tmp/y/a1.pdf", "orig_name": "a#1%.pdf"},
        ]
    )
    assert dropped.name == "【最終版】.pdf + 1 more"
    assert dropped.files == (Path("/tmp/x/最終版.pdf"), Path("/tmp/y/a1.pdf"))
    assert dropped.names == ("【最終版】.pdf", "a#1%.pdf")


def test_files_of_one_name_are_told_apart() -> None:
    assert unique_names(["a.pdf", "a.pdf", "b.pdf", "a.pdf"]) == [
        "a.pdf",
        "a.pdf (2)",
        "b.pdf",
        "a.pdf (3)",
    ]
