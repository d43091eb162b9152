"""Exchange forms of a procedure that other programs read."""

from typing import Any

from soprag.tools.procedure.procedure import ProcedureFlow, ProcedureRange


def gold(flow: ProcedureFlow) -> dict[str, Any]:
    """The form of hand-annotated flows: documented in docs/procedure.md, compared by line roles, steps and edges."""
    return {
        "lines": [{"n": line.n, "role": line.role} for line in flow.lines],
        "steps": [
            {"id": s.id, "lines": list(s.lines), "kind": s.kind, "text": s.text}
            | ({"only_if": s.only_if} if s.only_if else {})
            for s in flow.steps
        ],
        "edges": [{"from": e.source, "to": e.target, "when": e.when} for e in flow.edges],
        "entry": list(flow.entry),
        "entry_points": [{"situation": p.situation, "step": p.step} for p in flow.entry_points],
        "alternatives": [{"by": a.by, "entries": list(a.entries)} for a in flow.alternatives],
        "warnings": [{"lines": list(w.lines), "protects": list(w.protects)} for w in flow.warnings],
        "ranges": [_range(one) for one in flow.ranges if one.use != "time"],
        "unresolved": [{"lines": list(u.lines), "reason": u.reason} for u in flow.unresolved],
    }


def _range(made: ProcedureRange) -> dict[str, Any]:
    low, high = made.low_inclusive or made.low is None, made.high_inclusive or made.high is None
    return {
        "step": made.step,
        "quantity": made.quantity,
        "variant": made.variant,
        "low": made.low,
        "high": made.high,
        "unit": made.unit,
        "inclusive": low and high,
        "low_inclusive": low,
        "high_inclusive": high,
        "negated_phrase": made.negated,
        "use": made.use,
    }
