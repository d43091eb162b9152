"""The packages of the wheel: every folder of the checkout under the name `soprag`. The rest is in pyproject.toml."""

from setuptools import find_packages, setup

FOLDERS = ("agents", "apps", "benchmarks", "configs", "examples", "graphs", "prompts", "tools")
FOUND = find_packages(
    include=[pattern for folder in FOLDERS for pattern in (folder, f"{folder}.*")], exclude=["apps.api"]
)

setup(packages=["soprag", *(f"soprag.{name}" for name in FOUND)])
