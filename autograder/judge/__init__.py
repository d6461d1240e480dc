"""(case, reference, claim) -> verdict -> explanation -> score. Pure: no process, clock, file, YAML or terminal."""
