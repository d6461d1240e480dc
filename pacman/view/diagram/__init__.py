"""Positions and game trees as SVG files.

notebook                the picture of a position, a drawn tree or a searched tree, in a file and in a notebook
board                   the picture of a position
svg_sprites             its agents and its walls
replay                  a played game as data with which a script moves the agents of a board
tree, tree_layout       the picture of a game tree, drawn or searched; where its nodes are
tree_elements           what its nodes, branches and legend look like
colours                 the colours of the parts of a picture, in three themes and for the pages of a browser
svg_elements            the elements of a picture, as text
"""
