import { KEY_STORED } from '../base/http/stand-alone.mjs'

/** Key that the stand-alone server stored when its address was opened; null: none, or no storage. */
export function storedKey(): string | null {
  try {
    return localStorage.getItem(KEY_STORED) ?? sessionStorage.getItem(KEY_STORED)
  } catch {
    return null
  }
}
