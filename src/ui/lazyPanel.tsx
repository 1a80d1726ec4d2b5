import { lazy, useState, type ComponentType, type ReactNode } from 'react'

/** A panel whose code comes when it is opened, or before. */
export interface LazyPanel {
  readonly Component: ComponentType
  /** Fetches the code: a panel that is opened after that shows at once, without the pause that a wait on screen takes. */
  readonly preload: () => void
}

export function lazyPanel(load: () => Promise<{ readonly default: ComponentType }>): LazyPanel {
  let loaded: ComponentType | null = null
  const Lazy = lazy(load)
  return {
    Component: function Panel(): ReactNode {
      // What was chosen at first stays: another component would begin anew.
      const [Chosen] = useState<ComponentType>(() => loaded ?? Lazy)
      return <Chosen />
    },
    preload: () =>
      void load().then(
        (module) => (loaded = module.default),
        // Opening it will fetch it again, and say what is wrong.
        () => undefined,
      ),
  }
}
