import { expect, it } from 'vitest'
import { type Ticks, TICKS_PER_SECOND } from '../../../../../base/ticks.ts'
import { failuresOf } from './failures.ts'
import { readNotification } from '../../wire/notifications-wire.ts'
import type { ServerAlert } from '../../../contract/alerts.ts'

/** As 7.1.5 raises it when a data file is broken. */
const FRAME = {
  Id: 'AlertRaised/CatastrophicDatabaseFailure/broken',
  CreatedAt: '2026-11-20T09:57:07.8552226Z',
  Type: 'AlertRaised',
  Title: "Critical error in 'broken' database",
  Message: 'Database is about to be unloaded due to an encountered error',
  Severity: 'Error',
  IsPersistent: true,
  Database: 'broken',
  Key: 'broken',
  Reason: 'CatastrophicDatabaseFailure',
  Details: { Exception: 'Voron.Exceptions.VoronUnrecoverableErrorException: First transaction …\n at x' },
}

const read = (parts: object = {}): ServerAlert => {
  const notification = readNotification({ ...FRAME, ...parts })
  if (notification.kind !== 'alert') throw new Error(notification.kind)
  return notification.alert
}

it('a database failed when the server raised it within the hour, and it was not loaded since', () => {
  const alert = read()
  const raisedTicks = alert.createdTicks!
  const after = (seconds: number): Ticks => (raisedTicks + seconds * TICKS_PER_SECOND) as Ticks
  const names = (nowTicks: Ticks, loaded = false, raised = alert) => [
    ...failuresOf([raised], nowTicks, (_, ticks) => loaded && ticks === raisedTicks).keys(),
  ]
  expect(names(after(60))).toEqual(['broken'])
  expect(names(after(60), true)).toEqual([])
  expect(names(after(4000))).toEqual([])
  expect(names(after(60), false, read({ Reason: 'LowDiskSpace' }))).toEqual([])
  expect(names(after(60), false, read({ Database: null }))).toEqual([])
  const [failure] = failuresOf([alert], after(1), () => false).values()
  expect(failure!.message.split('\n').slice(0, 2)).toEqual([FRAME.Message, FRAME.Details.Exception.split('\n')[0]])
})
