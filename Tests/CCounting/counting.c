// Everything is in the header.
