import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { parseTicks } from '../../../base/ticks.ts'
import { renderPanel } from '../../../testing/panel-stage.tsx'
import { stubCapture } from '../../../testing/stub-capture.ts'
import { CheckMore } from './CheckMore.tsx'

it('says of how many databases it is unknown whether they are disabled', async () => {
  const capture = stubCapture()
  const last = {
    atTicks: parseTicks('2026-11-27T12:00:04.0000000Z'),
    responses: 60,
    databases: 50,
    unchecked: 0,
    unloaded: 0,
    listed: 1024,
    total: 3000,
    failed: [],
  }
  capture.responses.set('triage.checks', () => ({ isRunning: false, last }))
  renderPanel(<CheckMore />, capture)
  const sentence = '1,024 of 3,000 databases were listed; whether the others are disabled is unknown.'
  expect(await screen.findByText((text) => text.endsWith(sentence))).toBeTruthy()
})
