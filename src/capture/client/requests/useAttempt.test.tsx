import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { CaptureError } from '../client.ts'
import { useAttempt, type Attempted } from './useAttempt.ts'

const INFO = {
  endpoint: '/admin/x',
  status: 403,
  message: 'The certificate lacks a right.',
  serverMessage: 'no',
  hint: 'Use another.',
}

const attempted = async (run: () => Promise<unknown>) => {
  const { result } = renderHook(() => useAttempt())
  let outcome: Attempted<unknown> | undefined
  await act(async () => {
    outcome = await result.current.attempt('Could not do it', run)
  })
  return { outcome, hook: result }
}

test('the caller gets the result', async () => {
  const { outcome, hook } = await attempted(() => Promise.resolve(7))
  expect(outcome).toEqual({ ok: true, result: 7 })
  expect(hook.current).toMatchObject({ isRunning: false, failure: null })
})

test('the caller gets the error, with what failed, and can dismiss it', async () => {
  const { outcome, hook } = await attempted(() => Promise.reject(new CaptureError(INFO)))
  const failure = { ...INFO, message: 'Could not do it: The certificate lacks a right.' }
  expect(outcome).toEqual({ ok: false, failure })
  expect(hook.current).toMatchObject({ isRunning: false, failure })
  act(() => hook.current.dismiss())
  expect(hook.current.failure).toBeNull()
})

test('an error of the page itself is a failure, too; what was aborted is none', async () => {
  const broken = await attempted(() => Promise.reject(new TypeError('no such field')))
  expect(broken.hook.current.failure).toMatchObject({ message: 'Could not do it: no such field', status: null })
  const aborted = await attempted(() => Promise.reject(new DOMException('Aborted', 'AbortError')))
  expect(aborted.outcome).toEqual({ ok: false, failure: null })
  expect(aborted.hook.current.failure).toBeNull()
})

test('it runs until the last of two is over', async () => {
  const { result } = renderHook(() => useAttempt())
  const ends: { readonly resolve: (value: null) => void; readonly reject: (error: Error) => void }[] = []
  const pending = (): Promise<null> => new Promise((resolve, reject) => void ends.push({ resolve, reject }))
  const outcomes: Promise<unknown>[] = []
  act(() => void outcomes.push(result.current.attempt('One', pending), result.current.attempt('Two', pending)))
  await act(async () => {
    ends[0]!.reject(new Error('full'))
    await outcomes[0]
  })
  expect(result.current).toMatchObject({ isRunning: true, failure: { message: 'One: full' } })
  await act(async () => {
    ends[1]!.resolve(null)
    await outcomes[1]
  })
  expect(result.current.isRunning).toBe(false)
})
