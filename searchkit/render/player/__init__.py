"""Pages that play recordings of searches in a browser, without network."""

from searchkit.render.player.inline import page as page
from searchkit.render.player.inline import save_html as save_html

__all__ = ["page", "save_html"]
