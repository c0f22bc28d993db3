"""Make the bundled corpora and their test sets from tables of invented facts.

Run it as `python corpora/build.py`; the same release of PyMuPDF writes the same bytes every time.
It refuses to write a test set whose evidence does not stand where the set says.
"""

import argparse
from pathlib import Path

import annual.corpus
import outbreak.corpus
from plan import check, write

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    """Read the options, make every corpus, check it and write it."""
    parser = argparse.ArgumentParser(description="Make the bundled corpora and their test sets.")
    parser.add_argument(
        "--output",
        type=Path,
        default=ROOT,
        help="folder in which corpora/ and testsets/ are written (default: the project)",
    )
    output: Path = parser.parse_args().output
    for corpus in (outbreak.corpus.corpus(), annual.corpus.corpus()):
        check(corpus)
        write(corpus, output)


if __name__ == "__main__":
    main()
