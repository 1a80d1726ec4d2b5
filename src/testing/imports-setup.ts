import { afterAll, vi } from 'vitest'

// Code may load more code that no test waits for, such as what a panel or a host of the worker fetches ahead. Where it
// arrives after the last file of a process, Vitest refuses it, and each later file that shares the module fails for it.
afterAll(() => vi.dynamicImportSettled())
