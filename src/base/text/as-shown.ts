import { visibleText } from './visible.ts'

/**
 * Name as it looks: hidden characters as escapes, characters without width removed, accents composed, any white space
 * as one space. Names that look alike become equal. Only for matching what a user types.
 */
export const asShown = (text: string): string =>
  visibleText(text)
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFC')
    .replaceAll(/\s+/gu, ' ')
    .trim()
