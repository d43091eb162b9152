"""Finds the last block of a remark: a quote, a directive with its body, or a label with the block or list after it."""

from soprag.tools.markdown.inline import is_bold
from soprag.tools.markdown.outline import ListItem, OutlineBlock
from soprag.tools.procedure.wording import safety_labels
from soprag.tools.sop import WarningKind

_INDENTED = ("!!!", "???", "..")  # directives whose body is indented


def kind_at(block: OutlineBlock) -> WarningKind | None:
    """The kind of the remark that begins with `block`; None when no remark begins there."""
    if block.kind != "code":
        return safety_labels.kind_of(block.text)
    return safety_labels.kind_of(f"::: {block.info}") if block.info.startswith("{") else None


def last_block(blocks: tuple[OutlineBlock, ...], index: int, lone_label: bool = False) -> int:
    """The index of the last block of the remark that begins at `index`; `lone_label`: its label is a heading."""
    first = blocks[index]
    end = index
    if first.quote:
        while end + 1 < len(blocks) and blocks[end + 1].quote == first.quote and not _breaks(blocks[end + 1]):
            end += 1
        lone_label = end == index and safety_labels.is_label_alone(first.text)
    elif not lone_label:
        lone_label = safety_labels.is_label_alone(first.text)
    if lone_label or first.text.lstrip().startswith((":::", *_INDENTED)):
        end = _body_end(blocks, end, first, lone_label)
    return end


def _breaks(block: OutlineBlock) -> bool:
    """Whether a block ends the remark in whose quote it stands: a step, a heading or another remark."""
    if block.kind in ("heading", "rule") or (block.item and block.item.ordered and block.start == block.item.start):
        return True
    return block.kind == "paragraph" and safety_labels.kind_of(block.text) is not None


def _body_end(blocks: tuple[OutlineBlock, ...], end: int, first: OutlineBlock, lone_label: bool) -> int:
    """The index of the last block of a directive's body, or of what follows a label that stands alone."""
    text = first.text.strip()
    following = end + 1
    if text.startswith(":::"):
        while not text.endswith(":::") or len(text) < 6:
            if following >= len(blocks) or blocks[following].kind == "heading":
                break
            text = blocks[following].text.strip()
            following += 1
        return following - 1
    if text.startswith(_INDENTED):
        while following < len(blocks) and blocks[following].kind == "code" and not blocks[following].info:
            following += 1
    if following == end + 1 and lone_label and following < len(blocks) and not _breaks(blocks[following]):
        return _with_list(blocks, following)
    return following - 1


def _with_list(blocks: tuple[OutlineBlock, ...], index: int) -> int:
    """The last block of the remark's content at `index`, including a list that begins or is introduced there."""
    end = index
    if (
        (blocks[index].text.rstrip().endswith(":") or is_bold(blocks[index].text))
        and index + 1 < len(blocks)
        and not _breaks(blocks[index + 1])
    ):
        end = index + 1
    item = blocks[end].item
    if item and not item.ordered and blocks[end].start == item.start and item != blocks[index - 1].item:
        while end + 1 < len(blocks) and _within(blocks[end + 1].item, item.list):
            end += 1
    return end


def _within(item: ListItem | None, number: int) -> bool:
    while item:
        if item.list == number:
            return True
        item = item.parent
    return False
