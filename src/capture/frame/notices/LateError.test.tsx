import { act, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderPanel } from '../../../testing/panel-stage.tsx'
import { stubCapture, unanswered } from '../../../testing/stub-capture.ts'
import { LateError } from './LateError.tsx'

test('what the shell says of the server is not said once more', () => {
  const capture = stubCapture()
  renderPanel(<LateError error={unanswered} />, capture)
  expect(screen.getByText(unanswered.message)).toBeTruthy()
  act(() => capture.setState({ serverError: unanswered }))
  expect(screen.queryByText(unanswered.message)).toBeNull()
})
