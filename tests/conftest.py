"""What every test shares."""

import hypothesis

# How long an example takes says nothing on a machine that does other work, and a failure must come back when it is run again.
hypothesis.settings.register_profile("supremum", deadline=None, derandomize=True, database=None)
hypothesis.settings.load_profile("supremum")
