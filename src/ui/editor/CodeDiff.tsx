import { MergeView, unifiedMergeView } from '@codemirror/merge'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { useEffect, useRef, type ReactNode } from 'react'
import { useNarrow } from '../hooks/useNarrow.ts'
import { visibleLines } from '../../base/text/visible.ts'
import { cx } from '../theme/cx.ts'
import { commonSetup, keptLineEnds, readingSetup, typingSetup } from './editor-setup.ts'
import type { DiffProps } from './editor-types.ts'
import styles from './editor.module.css'
import { foldedLinesByKeys } from './folded-lines.ts'
import { LANGUAGES } from './languages.ts'
import { shadowOf } from './shadow.ts'

/** Time limit after which a diff of large texts becomes coarser. */
const DIFF_MS = 1000

const shared = {
  collapseUnchanged: { margin: 3, minSize: 6 },
  diffConfig: { scanLimit: 5000, timeout: DIFF_MS },
}

function button(text: string, label: string): HTMLButtonElement {
  const element = document.createElement('button')
  element.type = 'button'
  element.textContent = text
  element.title = label
  element.setAttribute('aria-label', label)
  return element
}

interface Sides extends Omit<DiffProps, 'onChange' | 'language'> {
  readonly canChange: boolean
  readonly isNarrow: boolean
}

/** Mounts the diff of two texts; returns a function that removes it. */
function mount(root: ShadowRoot, sides: Sides, language: Extension, onText: Extension): () => void {
  const { before, after, beforeName, afterName, label, canChange, isNarrow } = sides
  const take = `Take this change of ${beforeName}`
  const right = [
    keptLineEnds,
    commonSetup(`${label}: ${afterName}`, !canChange),
    canChange ? typingSetup : readingSetup,
    foldedLinesByKeys,
    language,
    onText,
  ]
  if (isNarrow) {
    const mergeControls = (kind: 'reject' | 'accept', act: (event: MouseEvent) => void): HTMLElement => {
      const control = kind === 'reject' ? button('Take', take) : button('Keep', `Keep what ${afterName} has`)
      control.addEventListener('click', act)
      return control
    }
    // Deleted text is drawn as plain text: with escapes for hidden characters, unless a side can be edited.
    const shown = canChange ? (text: string) => text : visibleLines
    const unified = unifiedMergeView({
      ...shared,
      original: shown(before),
      mergeControls: canChange ? mergeControls : false,
    })
    const state = EditorState.create({ doc: shown(after), extensions: [right, unified] })
    const view = new EditorView({ root, parent: root, state })
    return () => view.destroy()
  }
  const merge = new MergeView({
    ...shared,
    root,
    parent: root,
    a: {
      doc: before,
      extensions: [
        keptLineEnds,
        commonSetup(`${label}: ${beforeName}`, true),
        readingSetup,
        foldedLinesByKeys,
        language,
      ],
    },
    b: { doc: after, extensions: right },
    ...(canChange ? { revertControls: 'a-to-b' as const, renderRevertControl: () => button('→', take) } : {}),
  })
  return () => merge.destroy()
}

/** Without `onChange` both sides follow their props; else the right side starts with `after`. */
export default function CodeDiff(props: DiffProps): ReactNode {
  const { before, after, beforeName, afterName, language, label } = props
  const hostRef = useRef<HTMLDivElement>(null)
  const latest = useRef(props)
  const isNarrow = useNarrow()
  const canChange = props.onChange !== undefined
  const shownAfter = canChange ? null : after
  useEffect(() => {
    latest.current = props
  })

  useEffect(() => {
    const root = hostRef.current === null ? null : shadowOf(hostRef.current)
    let destroy: (() => void) | null = null
    let isCurrent = true
    void LANGUAGES[language]().then((extension) => {
      if (!isCurrent || root === null) return
      const onText = EditorView.updateListener.of(({ docChanged, state }) => {
        if (docChanged) latest.current.onChange?.(state.doc.toString())
      })
      const right = shownAfter ?? latest.current.after
      const sides = { before, after: right, beforeName, afterName, label, canChange, isNarrow }
      destroy = mount(root, sides, extension, onText)
    })
    return () => {
      isCurrent = false
      destroy?.()
    }
  }, [before, shownAfter, language, isNarrow, canChange, label, beforeName, afterName])

  return (
    <div className="stack">
      <div className={cx('note', styles.names)}>
        <span>{beforeName}</span>
        <span>{afterName}</span>
      </div>
      <div ref={hostRef} data-typing className={cx('raised', styles.diff)} />
    </div>
  )
}
