"""Gradescope: the upload that is built here (`build`), and what it does there (`run`)."""
