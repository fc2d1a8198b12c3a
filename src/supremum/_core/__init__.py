"""What every function stands on: dtypes, settings, rules, plans, the array and its conversions."""
