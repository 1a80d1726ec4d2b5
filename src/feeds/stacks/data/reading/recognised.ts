/** Keys that only documents of stacks and threads have. */
const PATHS = [
  '$.Results[].StackTrace',
  '$.Results[].ThreadIds',
  '$.Results[].OSThreadId',
  '$.Threads[].TotalProcessorTime',
  '$.Runaway Threads',
  '$.Results[].DedicatedThreadsCount',
  '$.DedicatedThreadsCount',
]

/** Whether a document has stacks or threads, by the paths at its beginning. */
export const isOfStacks = (paths: ReadonlySet<string>): boolean => PATHS.some((path) => paths.has(path))
