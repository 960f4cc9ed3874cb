"""Tests of the package; ``PYTHONPATH=src python3 -m unittest discover`` runs them."""
