"""Pieces of HTML that the app and the report share: escaped text, bars, plots."""
