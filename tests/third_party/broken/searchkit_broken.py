"""A third party's plugin that can't be imported."""

raise RuntimeError("this plugin needs a licence key")
