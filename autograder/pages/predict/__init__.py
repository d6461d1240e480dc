"""Practice: a student sees a tree and a search, and says what the search does next. Pure, but for reading the trees.

Read the files in this order:

- `situations` has what a search knows before each of its steps, and what the student sees of it;
- `answer_words` says where a wrong number comes from, and why the right one is right;
- `misconceptions` has the rows: which wrong search, in which questions, and how it answers there;
- `questions` puts these together, and `practice` makes the page of the fifteen trees.
"""
