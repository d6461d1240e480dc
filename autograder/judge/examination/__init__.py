"""Small trees that a search is asked, and simulated searches that are wrong in known ways. Pure.

Read the files in this order:

- `asking` has the questions and replies, `questions` draws the small trees, `shrinking` makes a tree smaller;
- `search_model` says in which ways a search may be wrong, and `rules` how it may compute a node from its children;
- `simulation` runs such a search on a `model_tree`: `plain_simulation` one node after the other, `unusual_simulation`
  with changed loops and with things that are kept from node to node;
- `mistake_row` is one mistake: a sentence, a hint and changes of a model. The rows are in `horizon_rows`, `end_rows`,
  `decider_rows` (with `rule_phrases`), `start_rows`, `action_rows`, `window_rows` and `memory_rows`; `hypotheses` puts
  them in order.

`judge.diagnosis` finds out with these questions what is wrong with a search.
"""
