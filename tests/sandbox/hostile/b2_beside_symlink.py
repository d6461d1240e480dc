"""b2 beside_symlink [files; trigger: search]

Attack: a link beside the named file leads to a private file; the program prints what it finds in its folder.
Must:   the folder holds the named file only.
"""
import os
from agents.base import SearchAgent
from pacman import Line
HERE = os.path.dirname(__file__)
class MinimaxAgent(SearchAgent):
    def search(self, node, plies):
        for name in sorted(os.listdir(HERE)):
            if name != os.path.basename(__file__):
                print(name, open(os.path.join(HERE, name)).read()[:60].replace("\n", "|"))
        return Line(0, None)
