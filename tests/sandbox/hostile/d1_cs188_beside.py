"""d1 cs188_beside [files; trigger: import]

Attack: a Berkeley-style file inherits every class from a neighbour's file.
Must:   the neighbour's file cannot be imported; one line says so.
"""
import bob
class MinimaxAgent(bob.MinimaxAgent): pass
