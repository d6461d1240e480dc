"""What students and instructors get: the release for students, and the start of a new assignment."""
