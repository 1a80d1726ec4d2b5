/** Whether `npm test` runs, which has no time for all that `npm run test:all` does. */
export const isGate = process.env['ROOKERY_TESTS'] === 'gate'

/** How much of something the gate does; by hand, and in the whole run, all of it. */
export const inGate = <T>(few: T, all: T): T => (isGate ? few : all)
