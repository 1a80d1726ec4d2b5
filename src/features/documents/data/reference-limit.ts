/** Limit of the references that are found: the search stops there. */
export const MOST_REFERENCES = 1000
