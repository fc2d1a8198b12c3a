"""What every module may use: messages, silence, the dtype of keys."""
