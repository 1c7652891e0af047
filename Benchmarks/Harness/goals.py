# SPDX-License-Identifier: MIT

"""A goal of a row, and how a figure is held against it."""


class Goal:
    """What a client's figure may be: at most or at least a number, or at most so many times a rival's.

    The rival may be the client itself in another row.
    """

    def __init__(self, client, most=None, least=None, times=None, rival="bleak", row=None):
        self.client, self.most, self.least, self.times = client, most, least, times
        self.rival = client if row else rival
        self.row = row

    def judge(self, figures, of_rows):
        """A dictionary with the ratio, the goal in words and whether it is met, or None where a figure is missing.

        `of_rows` has the same measure of the rows before, by their names.
        """
        ours = figures.get(self.client)
        if ours is None:
            return None
        if self.times is None:
            met = ours >= self.least if self.least is not None else ours <= self.most
            words = f"at least {self.least:,g}" if self.least is not None else f"at most {self.most:,g}"
            return {"client": self.client, "ratio": None, "goal": words, "met": met}
        theirs = (of_rows.get(self.row, {}) if self.row else figures).get(self.rival)
        if not theirs:
            return None
        ratio, rival = ours / theirs, self.row or self.rival
        return {
            "client": self.client, "ratio": round(ratio, 3), "rival": rival,
            "goal": f"at most {self.times:.3g} x {rival}", "met": ratio <= self.times,
        }


def both(**what):
    """The same goal for the task on the manager's executor and for an ordinary one."""
    return [Goal("loop", **what), Goal("plain", **what)]
