import type { ElementType } from 'react'
import { Fragment } from 'react'
import { visibleLines, visibleText } from '../../base/text/visible.ts'

type Props = Readonly<Record<string, unknown>>

/** Attributes that people read, on screen or in the accessibility tree. Field values and addresses stay raw. */
const READ = ['title', 'alt', 'placeholder', 'label', 'aria-label', 'aria-description', 'aria-valuetext'] as const

/**
 * Props of an element with every readable text in its visible form (`base/text/visible.ts`). A `pre` keeps line breaks
 * and tabs. Props of components stay the same: the elements that they render are converted.
 */
export function visibleProps(type: ElementType, props: Props): Props {
  if (typeof type !== 'string' && type !== Fragment) return props
  const children = visibleChildren(props['children'], type === 'pre' ? visibleLines : visibleText)
  const shown: Record<string, unknown> = children === props['children'] ? {} : { children }
  for (const name of READ) {
    const text = props[name]
    if (typeof text !== 'string') continue
    const visible = visibleText(text)
    if (visible !== text) shown[name] = visible
  }
  return Object.keys(shown).length === 0 ? props : { ...props, ...shown }
}

/** Returns the same object if it contains no hidden characters. */
function visibleChildren(children: unknown, visible: (text: string) => string): unknown {
  if (typeof children === 'string') return visible(children)
  if (!Array.isArray(children)) return children
  const shown = children.map((child: unknown) => visibleChildren(child, visible))
  return shown.some((child, index) => child !== children[index]) ? shown : children
}
