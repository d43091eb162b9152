"""Small SOP documents for tests, each on equipment of its own."""

from pathlib import Path

PUMPS = ("feed", "drain", "transfer", "booster", "vacuum", "dosing", "brine", "glycol", "sump", "condensate")


def write_procedure(folder: Path, number: int) -> Path:
    """One Markdown SOP; documents with other numbers have other equipment, values and words."""
    pump = PUMPS[number % len(PUMPS)]
    tag = f"P-{100 + number}"
    file = folder / f"{pump}-pump-{number}.md"
    file.write_text(
        f"""# Restart of the {pump} pump {tag} after a trip

## Purpose

This procedure restores flow in the {pump} line when pump {tag} has tripped on low suction pressure.

> **WARNING:** Do not restart {tag} while the {pump} strainer is open.

## Symptoms

- The {pump} flow reading drops below {10 + number} m3/h.
- Alarm LSP-{number:03d} is shown on the {pump} panel.

## Procedure

1. Close the discharge valve of {tag} and hang a tag on it.
2. Check the level in the {pump} tank. If the level is below {20 + number} %, fill the tank first.
3. Clean the {pump} strainer and close its cover.
4. If the suction pressure stays below {1 + number / 10:.1f} bar, call the shift supervisor.
5. Start {tag} and open the discharge valve slowly until {12 + number} m3/h is reached.
""",
        encoding="utf-8",
    )
    return file


def write_memo(folder: Path) -> Path:
    """A document that is no SOP."""
    file = folder / "news.md"
    file.write_text(
        "# Plant news, spring\n\nLast month the team of the pump hall won the regional safety award. The jury "
        "praised the new storage for spare parts.\n\nThe canteen was painted in April, and 45 guests visited the site "
        "in May. We thank everybody who helped and look forward to the summer party.\n",
        encoding="utf-8",
    )
    return file
