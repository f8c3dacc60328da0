"""What pages are made of: fields, tables, pictures, the draft of a job."""
