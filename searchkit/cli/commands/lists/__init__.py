"""The commands that list what is installed: engines, problems, plugins. Imported when they are used."""
