"""The query path: candidates, router, scores, explanation, confidence."""
