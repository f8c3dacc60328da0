"""Parts of pages: fields, tables, pictures, the draft of a job."""
