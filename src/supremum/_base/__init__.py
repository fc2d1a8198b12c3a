"""Used by every module: exceptions and words for messages, NumPy's error state, buffers, the dtype of keys."""
