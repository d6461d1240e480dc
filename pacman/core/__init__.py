"""The centre: layouts, rules, layers, positions, nodes, drawn trees and traces. All that graded code may import."""
