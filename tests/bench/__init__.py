"""Speed, measured beside its yardsticks: `make bench`."""
