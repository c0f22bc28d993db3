"""Runs written up in one file for stakeholders, in English or Chinese."""
