"""Finds out what is wrong with a search: watches its run, and judges each call by what its own calls returned. Pure.

Read the files in this order:

- `run` has what is asked of a search, what is right there, and what comes back; `questions` draws small trees, and
  `shrinking` makes one smaller;
- `finder` leads one diagnosis: it asks for these searches, and chooses what to say;
- `first_step` finds the first wrong step, the tree that shows it best, and the proof by another value in its place;
- `judge_visits` judges each visit by itself (`pacman.record` reads what the code did with each node); `counts` finds
  out how the search counts plies, and `steps` has the kinds of wrong steps with their words;
- `extent` counts where the same is wrong and in which places, with the wrong functions that fit;
- `step_words` has the sentences about a step, `shown_step` its line, the code and the table, and `deciding_line` the
  lines that decide about it, `exception_step` the line that causes an exception;
- `choices` does the same for reflex agents and evaluations, by the values that they give at positions.
"""
