"""What the views show today, as files that can be compared: photographs of windows and terminals.

    python -m tests.photographs take FOLDER                before a change
    python -m tests.photographs compare FOLDER             after it: each difference is a line

The programs are run as a user runs them; nothing here imports them. `shots` runs what scenes.yaml lists; `player`, in
the process of the program, moves its clock and presses the keys; `terminal` is the screen of a terminal.
"""
