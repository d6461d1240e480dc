"""Builds from the sources alone: an earlier build may have left files in `build` that have been deleted since."""

import shutil

from setuptools import setup

shutil.rmtree("build/lib", ignore_errors=True)
setup()
