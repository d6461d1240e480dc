"""A course: a class is graded into a store, and marks and reports come out of the store."""
