// @ts-check
/**
 * Environment of a server of a test, which lives for minutes: compiling its code again, better, costs more than it gains. Its
 * own 2 s of CPU in the first 20 s idle become 0.7. Without the last one, 7.1.5 spends some 1.5 % of a core on timers of live
 * feeds that were closed.
 */
export const THRIFTY = {
  DOTNET_TieredPGO: '0',
  DOTNET_TC_CallCountThreshold: '100',
  RAVEN_TIMEOUTMANAGER_USE_TASK_DELAY: 'true',
}
