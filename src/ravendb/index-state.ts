/** Whether a user paused it: it stays paused until a user resumes it, or the database is loaded again. */
export const isStopped = ({ status }: { readonly status: string }): boolean =>
  status === 'Paused' || status === 'Disabled'

export const isErrored = ({ state }: { readonly state: string }): boolean => state === 'Error'
