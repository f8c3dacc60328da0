"""Write the JSON Schema of a job, which is shipped for editors; run it when the parts of a job have changed."""

from incrowd.jobs.schema import shipped, text

if __name__ == "__main__":
    shipped().write_text(text(), encoding="utf-8")
