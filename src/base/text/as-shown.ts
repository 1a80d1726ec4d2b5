import { visibleText } from './visible.ts'

/**
 * Visible form of a name: hidden characters as their escapes, nothing of those that have no width, letters and their accents
 * composed, any white space as one space. Names that look the same are equal here; for comparing what a user types only.
 */
export const asShown = (text: string): string =>
  visibleText(text)
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFC')
    .replaceAll(/\s+/gu, ' ')
    .trim()
