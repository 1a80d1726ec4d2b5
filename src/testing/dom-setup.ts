import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'
import { isGate } from './gate.ts'

// How long something may take to appear: the machine is small and may be busy, and slowness is not what tests are for.
// Tests set no time of their own: a panel that is there within a second took more than four beside servers.
configure({ asyncUtilTimeout: 20_000 })

// The document in each message is written for every look at what is waited for: by hand it helps, and the gate has no time for it.
if (isGate) configure({ getElementError: (message) => new Error(message ?? 'No such element.') })

// happy-dom has none: what is reported fails the test.
globalThis.reportError = (error) => {
  throw error
}

// Files of a project share a document: what one leaves in it, the next would find.
afterEach(() => {
  cleanup()
  document.body.replaceChildren()
})
