import { render, screen } from '@testing-library/react'
import { Component, Suspense, type ComponentType, type ReactNode } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { FetchBoundary } from './FetchBoundary.tsx'
import { lazyPanel } from './lazyPanel.tsx'

beforeEach(() => void vi.spyOn(console, 'error').mockReturnValue())
afterEach(() => {
  vi.restoreAllMocks()
})

interface LoadedPart {
  readonly default: ComponentType
}

/** Boundary of a panel. */
class Outer extends Component<{ readonly children: ReactNode }, { readonly message: string }> {
  override state = { message: '' }

  static getDerivedStateFromError = (error: Error) => ({ message: error.message })

  override render(): ReactNode {
    return this.state.message === '' ? this.props.children : `Broken: ${this.state.message}`
  }
}

const failsWith = (fault: Error) => async (): Promise<LoadedPart> => {
  await Promise.resolve()
  throw fault
}

function panelWith(fault: Error): ReactNode {
  const { Component: Part } = lazyPanel(failsWith(fault))
  return (
    <>
      <p>The picture</p>
      <FetchBoundary what="The lanes below">
        <Suspense fallback={null}>
          <Part />
        </Suspense>
      </FetchBoundary>
    </>
  )
}

it('keeps what stands beside a part whose code could not be fetched', async () => {
  const error = new TypeError('error loading')
  dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload: error }))
  render(panelWith(error))
  expect(await screen.findByText('The lanes below could not be fetched.')).toBeTruthy()
  expect(screen.getByText('The picture')).toBeTruthy()
})

it('leaves any other error to the boundary of the panel', async () => {
  render(<Outer>{panelWith(new TypeError('no such lane'))}</Outer>)
  expect(await screen.findByText('Broken: no such lane')).toBeTruthy()
})
