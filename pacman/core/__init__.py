"""The core: layouts, rules, layers, positions, nodes, trees, numbers as text. Graded code may import all of it."""
