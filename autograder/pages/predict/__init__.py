"""Practice: a student sees a tree and a search, and says what the search does next. Pure, but for reading the trees.

Read the files in this order:

- `situation` is what the search knows at one node, and what the student sees of it;
- `situations` takes the situations out of a recorded search, in the order of the search;
- `local_search` runs a wrong search from there, and `misconceptions` has the rows: which wrong search, in which
  questions; `star_mistakes` has those of star1 and star2;
- `words` says where a wrong number comes from, and why the right one is right;
- `questions` puts these together, and `practice_trees` reads the twenty trees.
"""
