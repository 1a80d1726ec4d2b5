/** Errors of `import()`, which look like any `TypeError`: the build reports each by an event before it is thrown. */
const notFetched = new WeakSet<Error>()
addEventListener('vite:preloadError', ({ payload }) => notFetched.add(payload))

/** Whether code could not be loaded, as when its server is gone. Known in a build only. */
export const wasNotFetched = (error: unknown): boolean => error instanceof Error && notFetched.has(error)
