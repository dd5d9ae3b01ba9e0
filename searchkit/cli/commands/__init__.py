"""One module for each command of `searchkit`: its Typer app is called `app`.

A module is imported when its command is used.
"""
