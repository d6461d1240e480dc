"""The core: layouts, rules, layers, positions, nodes, drawn trees, traces and numbers as text. Graded code may import all of it."""
