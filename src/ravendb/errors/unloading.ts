/**
 * Whether a load error only says that the server is unloading the database, for some milliseconds: `The database 'x'
 * has been unloaded and locked by IdleOperations` (seen on 7.1.5, 6.2.4 and 5.4.207).
 */
export const isUnloading = (loadError: string): boolean => loadError.includes('has been unloaded and locked by')

/** Whether it is only being compacted: `… has been unloaded and locked because it is being compacted`. */
export const isCompacting = (loadError: string): boolean =>
  loadError.includes('has been unloaded and locked because it is being compacted')
