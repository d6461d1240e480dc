"""a1 regex_bomb [messages; trigger: search]

Attack: a reply of 8 MB with an unterminated string of escaped quotes, for a reader that starts again at every quote.
Must:   the reply is unreadable; reading it takes time in proportion to its size.
"""
class MinimaxAgent(SearchAgent):
    def search(self, node, plies):
        write(b'{"n":%d,"x":"' % request()["n"] + b'\\"' * 4_000_000)
        os._exit(0)
