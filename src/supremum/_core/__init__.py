"""The core: dtypes, settings, tables of rules, plans, `Array` and conversions to it."""
