const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** Order of names in lists: ignores case, and puts `index 2` before `index 10`. */
export const compareNames = collator.compare
