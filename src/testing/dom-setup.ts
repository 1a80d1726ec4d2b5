import { cleanup, configure } from '@testing-library/react'
import * as react from 'react'
import { afterEach } from 'vitest'
import { isGate } from './gate.ts'
import { quickStyles } from './quick-styles.ts'

// How long something may take to appear: the machine is small and may be busy, and slowness is not what tests are for.
// Tests set no time of their own: a panel that is there within a second took more than four beside servers.
configure({ asyncUtilTimeout: 20_000 })

// The document in each message is written for every look at what is waited for: by hand it helps, and the gate has no time for it.
if (isGate) configure({ getElementError: (message) => new Error(message ?? 'No such element.') })

quickStyles()

// React takes a stack for each of ten thousand elements a second, to name its owner in a warning: a twelfth of the CPU.
const internals: unknown = Reflect.get(react, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE')
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
  configurable: true,
  get: () => Infinity,
  set: (_count: number) => {},
})

// happy-dom has none: what is reported fails the test.
globalThis.reportError = (error) => {
  throw error
}

// Files of a project share a document: what one leaves in it, the next would find.
afterEach(() => {
  cleanup()
  document.body.replaceChildren()
})
