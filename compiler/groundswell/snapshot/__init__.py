"""A cluster's facts: read through the API alone, written as a Snapshot, turned into criteria and held against constraints."""
