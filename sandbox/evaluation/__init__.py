"""Measuring: any function from question to answer, whoever built it."""
