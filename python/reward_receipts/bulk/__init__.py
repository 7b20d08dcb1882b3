"""Many documents: files, folders and streams of them, and repeats among them."""
