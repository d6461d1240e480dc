"""a2 values_dos [messages; trigger: search]

Attack: 2,000 right values of the root and a trace that is too short, so that the grader explains a miss 2,000 times.
Must:   value and action are right, as any search may find them; the nodes earn nothing; explaining searches once.
"""
def reply(asked, root):
    value, action = best(root, asked["plies"])
    first = root.actions()[0]
    return {"value": value, "value_text": str(value), "action": action, "choice": str(action), "generated": 1,
            "trace": {"names": ["", first], "parents": [0, 0], "actions": [0, 1], "made": [1]},
            "values": [[0, value]] * 2000}

class MinimaxAgent(SearchAgent):
    def search(self, node, plies): take_over(reply)
