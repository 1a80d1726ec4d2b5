import { lazy, useState, type ComponentType, type ReactNode } from 'react'

/** A panel, or another large part of the page, whose code is loaded when it is opened or before. */
export interface LazyPanel<Props = object> {
  readonly Component: ComponentType<Props>
  /** Loads the code, so that the panel opens later without a visible delay. */
  readonly preload: () => Promise<void>
}

export type LazyModule<Props> = () => Promise<{ readonly default: ComponentType<Props> }>

/** Preloads of all lazy parts, in order of definition; parts of a panel are added when its code is loaded. */
const preloads: (() => Promise<void>)[] = []

/** Removes and returns the next preload; undefined: none is known yet. */
export const nextPreload = (): (() => Promise<void>) | undefined => preloads.shift()

export function lazyPanel<Props extends object = object>(load: LazyModule<Props>): LazyPanel<Props> {
  let loaded: ComponentType<Props> | null = null
  const Lazy = lazy(load)
  const preload = (): Promise<void> =>
    load().then(
      (module) => void (loaded = module.default),
      // Opening the panel loads it again and reports the error.
      () => undefined,
    )
  preloads.push(preload)
  return {
    Component: function Panel(props: Props): ReactNode {
      // Keeps the first component: another one would restart the panel.
      const [Chosen] = useState<ComponentType<Props>>(() => loaded ?? Lazy)
      return <Chosen {...props} />
    },
    preload,
  }
}
