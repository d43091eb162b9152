"""Entry point of pipeline 1: `python -m agents.build_benchmark --topic "Data Center Maintenance"`."""

from soprag.apps.cli.build import build
from soprag.apps.cli.main import run

if __name__ == "__main__":
    build.name = "python -m agents.build_benchmark"
    run(build)
