"""What a trained model holds of the blocks of a document, and when it overrules the rules."""

from dataclasses import dataclass, field

from soprag.tools.procedure.blocks.blocks import Block

_PARTED = 0.15  # the chance from which it is in doubt that one section follows the other
_SURE = (0.1, 0.85)  # below the first or above the second chance the model decides


@dataclass(frozen=True)
class BlockOpinions:
    """First line of a block -> chance that a step begins there, and that it belongs to the step before if none does."""

    begins: dict[int, float] = field(default_factory=dict)
    belongs: dict[int, float] = field(default_factory=dict)
    apart: dict[tuple[int, int], float] = field(default_factory=dict)  # two sections -> chance that neither follows

    def opens(self, block: Block, ruled: bool) -> bool:
        """Whether a step begins at a block: what the rules read as an act is one, else a sure model decides.

        An order that a run leaves out does more harm than a line too many.
        """
        return ruled or _overruled(self.begins, block, ruled)

    def acting(self, items: list[Block], ruled: bool) -> bool:
        """Whether items of one list are acts, by the mean of their chances; the model may overrule both ways."""
        chances = [self.begins[item.lines[0]] for item in items if item.lines and item.lines[0] in self.begins]
        return _decided(sum(chances) / len(chances), ruled) if chances else ruled

    def parted(self, one: int, other: int) -> bool:
        """Whether it is in doubt that the later of two sections follows the other."""
        return self.apart.get((one, other), 0.0) > _PARTED

    def continues(self, block: Block, ruled: bool) -> bool:
        """Whether a block that begins no step belongs to the step before it; as `opens`."""
        return _overruled(self.belongs, block, ruled)


def _overruled(chances: dict[int, float], block: Block, ruled: bool) -> bool:
    chance = chances.get(block.lines[0] if block.lines else 0)
    return ruled if chance is None else _decided(chance, ruled)


def _decided(chance: float, ruled: bool) -> bool:
    return chance >= _SURE[0] if ruled else chance > _SURE[1]
