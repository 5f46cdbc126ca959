"""The champions that ship with evogo; README.md beside this file says what each was measured to do."""
