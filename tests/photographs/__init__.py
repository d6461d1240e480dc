"""What the product does today, as files that can be compared: photographs.

    python -m tests.photographs take FOLDER                before a change
    python -m tests.photographs compare FOLDER             after it: each difference is a line

The programs are run as a user runs them; nothing here imports them. Read the files in this order:

- `shots` lists what is photographed;
- `run` runs a program and removes from its output what differs from run to run;
- `terminal` shows a program in a terminal, `player` (in the program's process) moves its clock and presses the keys;
- `browser` opens pages in Chromium;
- `difference` compares two folders; `expected.txt` has the differences that are right, with their reasons.
"""
