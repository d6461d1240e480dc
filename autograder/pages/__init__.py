"""Reports as pages: each is one file that needs no network, and that shows its text and pictures without scripts.

page                    puts a template, the stylesheets, the scripts and the data of a page together
student_page, pictures  the report of one student, and its pictures
game_player             a played game to step through, in a page or in a notebook
search, explorer        searches with their steps, also a student's; the page that steps through them
questions, practice     what a search does next, to predict; which mistake a wrong guess fits
class_board             what a class knows by now
"""
