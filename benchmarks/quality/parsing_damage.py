"""`measure parsing --damage`: what readers of PDFs damage, counted against the printed pages, engine beside engine."""

import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from soprag.benchmarks.quality.damaged_files import DAMAGED
from soprag.benchmarks.quality.parsing_peers import PdfReader, pdf_readers
from soprag.configs.settings import ParsingSettings
from soprag.tools.errors import DocumentError
from soprag.tools.parsing import Parser
from soprag.tools.parsing.document import Damage
from soprag.tools.parsing.layout import PrintedLine, read_lines
from soprag.tools.parsing.repair.damage import measure_damage
from soprag.tools.sop import Frozen

_COLUMNS = ("recall", "lost", "garbled", "unread", "repeated", "headings", "marks")


class EngineDamage(Frozen):
    """What one engine did to one PDF; None where it gave no result."""

    engine: str
    file: str
    damage: Damage | None


class DamageReport(Frozen):
    """The damage of every engine to every PDF that has a text layer."""

    rows: tuple[EngineDamage, ...]

    def render(self) -> str:
        """A line for each engine and file, then for each engine over all files; recall is of printed words."""
        head = f"{'engine':<12}{'file':<34}{'words':>8}" + "".join(f"{name:>10}" for name in _COLUMNS)
        engines = dict.fromkeys(row.engine for row in self.rows)
        lines = [_line(row.engine, row.file, row.damage) for row in self.rows]
        return "\n".join([head, *lines, *(self._total(engine) for engine in engines)])

    def _total(self, engine: str) -> str:
        results = [row.damage for row in self.rows if row.engine == engine and row.damage]
        failed = sum(row.engine == engine and row.damage is None for row in self.rows)
        counts = {name: sum(getattr(damage, name) for damage in results) for name in Damage.model_fields}
        return _line(engine, f"all ({failed} failed)" if failed else "all", Damage(**counts))


def measure_damaged(settings: ParsingSettings, folder: Path | None) -> DamageReport:
    """Every engine on the PDFs of `folder` and on generated ones; page heads and feet are left out of the count."""
    with tempfile.TemporaryDirectory() as made, Parser(settings) as parser:
        files = [*_generated(Path(made)), *sorted(folder.glob("*.pdf") if folder else [])]
        readers: dict[str, PdfReader] = {"soprag": lambda path: parser.parse_now(path).markdown, **pdf_readers()}
        printed = {file: read_lines(str(file), lambda _: None) for file in files}
        rows = [_row(name, reader, file, printed[file]) for name, reader in readers.items() for file in _texts(printed)]
    return DamageReport(rows=tuple(rows))


def _texts(printed: dict[Path, list[PrintedLine]]) -> Iterable[Path]:
    return (file for file, lines in printed.items() if lines)


def _generated(folder: Path) -> Sequence[Path]:
    files = [folder / file.name for file in DAMAGED]
    for path, file in zip(files, DAMAGED, strict=True):
        path.write_bytes(file.make())
    return files


def _row(engine: str, reader: PdfReader, file: Path, lines: list[PrintedLine]) -> EngineDamage:
    try:
        markdown = reader(file)
    except (DocumentError, OSError, ValueError, RuntimeError):
        return EngineDamage(engine=engine, file=file.name, damage=None)
    return EngineDamage(engine=engine, file=file.name, damage=measure_damage(markdown, lines))


def _line(engine: str, file: str, damage: Damage | None) -> str:
    if damage is None:
        return f"{engine:<12}{file[:32]:<34}  failed"
    recall = 1 - damage.lost / max(damage.printed, 1)
    counts = (damage.lost, damage.garbled, damage.unreadable, damage.repeated, damage.headings, damage.marks)
    return f"{engine:<12}{file[:32]:<34}{damage.printed:>8}{recall:>10.3f}" + "".join(f"{n:>10}" for n in counts)
