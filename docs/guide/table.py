"""Turns text with commas or tabs, as copied from a spreadsheet, into a Markdown table."""

import csv
import io
import json
import sys

given = json.load(sys.stdin)["arguments"]
text = given["text"].strip("\n")
delimiter = "\t" if "\t" in text.split("\n", 1)[0] else ","
rows = [[cell.strip().replace("|", "\\|") for cell in row] for row in csv.reader(io.StringIO(text), delimiter=delimiter)]
if not rows:
    sys.exit("there are no rows")
width = max(len(row) for row in rows)
rows = [row + [""] * (width - len(row)) for row in rows]
lines = [rows[0], ["---"] * width, *rows[1:]]
markdown = "\n".join("| " + " | ".join(row) + " |" for row in lines)
print(json.dumps({"markdown": markdown, "rows": len(rows) - 1}))
