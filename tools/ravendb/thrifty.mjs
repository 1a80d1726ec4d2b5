// @ts-check
/**
 * Environment of a test's server, which runs for minutes: recompiling its code at a higher optimization level costs
 * more than it gains. The server's own CPU time in the first 20 s, idle, falls from 2 s to 0.7 s. Without the last
 * variable, 7.1.5 spends some 1.5 % of a core on timers of live feeds that were closed.
 */
export const THRIFTY = {
  DOTNET_TieredPGO: '0',
  DOTNET_TC_CallCountThreshold: '100',
  RAVEN_TIMEOUTMANAGER_USE_TASK_DELAY: 'true',
}
