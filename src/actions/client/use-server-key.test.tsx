import { cleanup, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, it } from 'vitest'
import { renderPanel } from '../../testing/panel-stage.tsx'
import { stubCapture } from '../../testing/stub-capture.ts'
import { draftStore } from '../../capture/client/drafts/useDrafts.ts'
import { useServerKeyOrNull } from './use-server-key.ts'

afterEach(() => {
  localStorage.clear()
})

const Key = (): ReactNode => <output>{useServerKeyOrNull() ?? 'none'}</output>

/** Key that a page shows on which the server says that id; null: its id could not be read, or may not be. */
async function keyShown(serverId: string | null): Promise<string | null> {
  const capture = stubCapture()
  capture.responses.set('actions.access', () => ({ version: '7.1.5', certificate: null, licence: null, serverId }))
  renderPanel(<Key />, capture)
  await expect.poll(() => capture.calls.some(([name]) => name === 'actions.access')).toBe(true)
  await expect.poll(() => screen.getByRole('status').textContent).not.toBe('none')
  const { textContent } = screen.getByRole('status')
  cleanup()
  return textContent
}

it('drafts belong to the server of before where its id could not be read this time', async () => {
  expect(await keyShown('a')).toBe('a')
  expect(await keyShown(null)).toBe('a')
})

it('drafts from before the server reported its id become its own', async () => {
  const place = { kind: 'query', database: 'Shop', id: '' } as const
  expect(await keyShown(null)).toBe(location.origin)
  draftStore.keep({ ...place, server: location.origin, base: '', baseText: '', text: 'typed', changedMs: 1 })
  expect(await keyShown('b')).toBe('b')
  await expect.poll(() => draftStore.of({ ...place, server: 'b' })?.text).toBe('typed')
})

it('drafts belong to the address where the server never said its id', async () => {
  expect(await keyShown(null)).toBe(location.origin)
})
