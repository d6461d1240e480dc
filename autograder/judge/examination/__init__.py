"""Asks a part of a submission small questions about trees, and says what its search does. Pure.

Read the files in this order:

- `examine` leads one examination, and `asking` has its questions and replies;
- `questions` draws the small trees;
- `search_model` says in which ways a search may be wrong, and `rules` how it may compute a node from its children;
- `simulation` runs such a search on a `model_tree`: `plain_simulation` one node after the other, `unusual_simulation`
  with changed loops and with things that are kept from node to node;
- `mistake_row` is one mistake: a sentence, a hint and changes of a model. The rows are in `horizon_rows`, `end_rows`,
  `decider_rows` (with `rule_phrases`), `start_rows`, `action_rows`, `window_rows` and `memory_rows`; `hypotheses` puts
  them in order;
- `inference` finds the row, or the two rows, whose simulation foretells every reply;
- `evidence` says what the replies prove if no row does, and `shrinking` makes the tree small that a student sees.
"""
