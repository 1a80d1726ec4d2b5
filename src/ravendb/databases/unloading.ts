/**
 * While the server unloads a database, its entry carries a load error such as
 * `The database 'x' has been unloaded and locked by IdleOperations`, for some milliseconds (seen on 7.1.5, 6.2.4 and
 * 5.4.207). That is no failure.
 */
export const isUnloading = (loadError: string): boolean => loadError.includes('has been unloaded and locked by')

/** The same while it is compacted: `… has been unloaded and locked because it is being compacted`, to the end of it. */
export const isCompacting = (loadError: string): boolean =>
  loadError.includes('has been unloaded and locked because it is being compacted')
