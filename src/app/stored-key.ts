import { KEY_STORED } from '../base/http/stand-alone.mjs'

/** The key that the stand-alone server stored when its address was opened; null: there is none, or no storage. */
export function storedKey(): string | null {
  try {
    return localStorage.getItem(KEY_STORED) ?? sessionStorage.getItem(KEY_STORED)
  } catch {
    return null
  }
}
