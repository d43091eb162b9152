"""Pictures of reports: each page at 1280 and 390 pixels, and at 390 in the dark, by a headless Chromium.

python -m tests.apps.page_pictures docs/images report=runs/ID/benchmark/report.html evaluation=report/evaluation.html
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

VIEWS = {"wide": (1280, 1100, ""), "narrow": (390, 1100, ""), "narrow-dark": (390, 1100, "dark")}
_DARK = "--blink-settings=preferredColorScheme=0"


def main(folder: str, *pages: str) -> None:
    """Shoot every page, named as `name=FILE`."""
    for page in pages:
        name, _, file = page.partition("=")
        for view in VIEWS:
            shoot(Path(file), Path(folder, f"{name}-{view}.png"), view)


def shoot(page: Path, picture: Path, view: str) -> None:
    """The top of the page in a frame of that width: a window of Chromium itself cannot be so narrow."""
    width, height, scheme = VIEWS[view]
    program = shutil.which("chromium") or shutil.which("google-chrome") or "chromium"
    with tempfile.TemporaryDirectory() as folder:
        frame = Path(folder, "frame.html")
        style = f"border:0;width:{width}px;height:{height}px"
        frame.write_text(f'<body style="margin:0"><iframe style="{style}" src="{page.resolve().as_uri()}"></iframe>')
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", *([_DARK] if scheme else [])]
        size = f"--window-size={width},{height}"
        subprocess.run(
            [program, *options, size, f"--screenshot={picture}", str(frame)],
            check=True,
            capture_output=True,
            timeout=60,
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
