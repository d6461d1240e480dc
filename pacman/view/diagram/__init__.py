"""Positions and game trees as SVG files.

notebook           `svg` for positions and trees, and the picture that a notebook shows
board              the picture of a position
tree, tree_layout  the picture of a game tree, drawn or searched; where its nodes are
svg_elements       the elements of a picture, as text
"""
