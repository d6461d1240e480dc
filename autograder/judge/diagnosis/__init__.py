"""Finds out what is wrong with a search: watches its run, and judges each call by what its own calls returned. Pure.

Read the files in this order:

- `run` has what is asked of a search and what comes back; `questions` draws small trees, `shrinking` makes one smaller;
- `finder` leads one diagnosis: it asks for these searches, and chooses what to say; `trials` has what is right in each;
- `first_step` finds the first wrong step, the tree that shows it best, and the proof by another value in its place;
- `visits` has what the code did with each node (`pacman.record` reads that), and what would be right there;
- `judge_visits` judges each visit by itself, and `steps` has the kinds of wrong steps with their words;
- `extent` counts where the same is wrong and in which places, with the wrong functions that fit;
- `shown_step` has the sentences, the line, the code and the table;
- `choices` does the same for reflex agents and evaluations, by the values that they give at positions.
"""
