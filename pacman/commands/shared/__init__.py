"""What the commands are made of.

cli, started_as       how both programs find their commands, report mistakes and name themselves
completion            the values that a shell completes
options               options of several commands, and checks of their numbers
game_setup            from options to games, series of games and branches
view_choice           from options to a window, text or no view
search_choice         from the name of a search to a function that analyses positions
output                results and progress bars
reload                watches the files of agents, for `--reload`
"""
