"""A cluster's facts: read through the API alone, written down, turned into criteria, held against constraints."""
