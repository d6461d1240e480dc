"""Searches that are wrong in known ways, and what they answer. Pure.

`mistakes` is the table: a name, a sentence, a hint and the change of a search for each mistake, about searches in
`search_mistakes` and about windows in `window_mistakes`. `search_model` says what can be changed in a search, and
`simulation` runs a changed search on a tree.

The practice page, `new-case --distinguish` and the board read this table. `judge.diagnosis` watches
the student's own search; only if no call of it is wrong by itself, `same_values` compares its values with the table.
"""
