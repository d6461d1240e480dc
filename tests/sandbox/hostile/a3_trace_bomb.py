"""a3 trace_bomb [messages; trigger: search]

Attack: a trace of 200,000 nodes, 99 levels deep, that obeys every limit on messages.
Must:   value and action are right, as any search may find them; the trace is only counted and earns nothing.
"""
N, DEEP = 200_000, 99
PARENTS = [0, *range(DEEP)]
PARENTS += [DEEP - 1] * (N - len(PARENTS))
TRACE = {"names": ["", *("n%d" % i for i in range(40))], "parents": PARENTS, "actions": [0] + [1] * (N - 1),
         "made": list(range(1, N))}

def reply(asked, root):
    value, action = best(root, asked["plies"])
    return {"value": value, "value_text": "x", "action": action, "choice": "x", "generated": 1, "trace": TRACE,
            "values": [[N - 1, value]] * 2000}

class MinimaxAgent(SearchAgent):
    def search(self, node, plies): take_over(reply)
