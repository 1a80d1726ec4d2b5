/** Whether code may be loaded before it is needed: not where the user wants the browser to use less data. */
export function mayFetchAhead(): boolean {
  // Not in every browser.
  const { connection } = navigator as { readonly connection?: { readonly saveData?: boolean } }
  return connection?.saveData !== true
}
