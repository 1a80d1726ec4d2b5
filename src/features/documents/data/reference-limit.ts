/** Maximum number of references found; the search stops there. */
export const MOST_REFERENCES = 1000
