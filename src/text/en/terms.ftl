# Names of the terms that explain a number, with their formulas.
