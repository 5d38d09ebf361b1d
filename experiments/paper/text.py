"""Numbers and tables as Markdown."""
import statistics
import textwrap

WIDTH = 125


def paragraphs(*texts):
    """Each text a paragraph, laid out to the width of the documents; texts that are tables, lists or figures are left alone."""
    done = []
    for text in texts:
        plain = not text.lstrip().startswith(("|", "- ", "![", "#", "```"))
        done.append(textwrap.fill(" ".join(text.split()), WIDTH, break_long_words=False, break_on_hyphens=False)
                    if plain else text.strip("\n"))
    return "\n\n".join(done)


def item(text):
    """An item of a list, laid out."""
    return textwrap.fill(text, WIDTH, initial_indent="- ", subsequent_indent="  ", break_long_words=False,
                         break_on_hyphens=False)


def table(head, rows):
    lines = ["| " + " | ".join(map(str, head)) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows])


def picture(text, name):
    return f"![{text}](images/paper/{name})"


def figure(x, digits=3):
    """A number with so many significant digits, large and small ones as 1.2e+07."""
    if x is None:
        return ""
    if x != 0 and (abs(x) >= 1e6 or abs(x) < 1e-3):
        return f"{x:.{digits - 1}e}"
    before = len(str(int(abs(x)))) if abs(x) >= 1 else 0
    return f"{x:,.{max(0, digits - before)}f}"


def seconds(s):
    """A time in the unit that suits it."""
    if s < 1:
        return f"{1000 * s:.3g} ms"
    return f"{s:.3g} s" if s < 100 else f"{s:,.0f} s"


def median(values):
    values = list(values)
    return statistics.median(values) if values else float("nan")


def share(part, whole):
    return f"{part} of {whole}"
