import { configure } from '@testing-library/react'

// How long something may take to appear: the machine is small and may be busy, and slowness is not what tests are for.
configure({ asyncUtilTimeout: 10_000 })

// happy-dom has none: what is reported fails the test.
globalThis.reportError = (error) => {
  throw error
}
