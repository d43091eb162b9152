"""The built-in rule-based answers, one module per task family: the offline default, measured like any model."""
