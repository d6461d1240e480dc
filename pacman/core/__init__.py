"""The core: layouts, rules, layers, positions, nodes, drawn trees and traces. Graded code may import all of it."""
