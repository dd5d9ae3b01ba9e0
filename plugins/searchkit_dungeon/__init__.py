"""dungeon"""
