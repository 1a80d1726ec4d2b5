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

/** Whether a document is one of stacks or threads, by the paths that its beginning has. */
export const isOfStacks = (paths: ReadonlySet<string>): boolean => PATHS.some((path) => paths.has(path))
