import { autocompletion } from '@codemirror/autocomplete'
import { lintGutter, setDiagnostics } from '@codemirror/lint'
import { Compartment, EditorState, Prec } from '@codemirror/state'
import { EditorView, keymap, placeholder as shownPlaceholder } from '@codemirror/view'
import { useEffect, useImperativeHandle, useLayoutEffect, useRef, type ReactNode } from 'react'
import { cx } from '../theme/cx.ts'
import { commonSetup, keptLineEnds, readingSetup, typingSetup } from './editor-setup.ts'
import type { EditorDiagnostic, EditorProps } from './editor-types.ts'
import styles from './editor.module.css'
import { LANGUAGES } from './languages.ts'
import { shadowOf } from './shadow.ts'
import { differingPart } from './differing-part.ts'

interface Parts {
  readonly view: EditorView
  readonly setup: Compartment
  readonly language: Compartment
  readonly completion: Compartment
  /** Text that the owner has, by which an echo is distinguished from a new text. */
  known: string
}

const within = ({ from, to, severity, message }: EditorDiagnostic, length: number) => {
  const start = Math.min(Math.max(0, from), length)
  return { from: start, to: Math.min(Math.max(start, to), length), severity, message }
}

const fillStyle = EditorView.theme({ '&': { height: '100%' }, '.cm-scroller': { overflow: 'auto' } })

const heightOf = (lines: number) =>
  EditorView.theme({ '.cm-content, .cm-gutter': { minHeight: `calc(${lines} * 1lh + 8px)` } })

/** Editor in a shadow root, where the policy allows style sheets. Its keys are its own (`data-typing`). */
export default function CodeEditor(props: EditorProps): ReactNode {
  const {
    label,
    text,
    language,
    isReadOnly = false,
    diagnostics,
    complete,
    placeholder = '',
    fills = false,
    ref,
  } = props
  const hostRef = useRef<HTMLDivElement>(null)
  const partsRef = useRef<Parts | null>(null)
  const latest = useRef(props)
  useLayoutEffect(() => {
    latest.current = props
  })

  useEffect(() => {
    const root = hostRef.current === null ? null : shadowOf(hostRef.current)
    if (root === null) return undefined
    const { text: doc, fills: isFilling, minLines } = latest.current
    const setup = new Compartment()
    const languagePart = new Compartment()
    const completion = new Compartment()
    const act = (name: 'onRun' | 'onSave') => () => {
      latest.current[name]?.()
      return latest.current[name] !== undefined
    }
    const view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc,
        extensions: [
          keptLineEnds,
          Prec.highest(
            keymap.of([
              { key: 'Mod-Enter', run: act('onRun') },
              { key: 'Mod-s', run: act('onSave') },
            ]),
          ),
          setup.of([]),
          languagePart.of([]),
          completion.of([]),
          lintGutter(),
          isFilling === true ? fillStyle : [],
          minLines === undefined ? [] : heightOf(minLines),
          EditorView.updateListener.of(({ docChanged, state, transactions }) => {
            const parts = partsRef.current
            if (!docChanged || parts === null) return
            parts.known = state.doc.toString()
            if (!transactions.every((each) => each.isUserEvent('owner'))) latest.current.onChange?.(parts.known)
          }),
        ],
      }),
    })
    partsRef.current = { view, setup, language: languagePart, completion, known: doc }
    return () => {
      partsRef.current = null
      view.destroy()
    }
  }, [])

  useEffect(() => {
    const parts = partsRef.current
    parts?.view.dispatch({
      effects: parts.setup.reconfigure([
        commonSetup(label, isReadOnly),
        isReadOnly ? readingSetup : typingSetup,
        placeholder === '' ? [] : shownPlaceholder(placeholder),
      ]),
    })
  }, [label, isReadOnly, placeholder])

  useEffect(() => {
    const parts = partsRef.current
    let isCurrent = true
    void LANGUAGES[language]().then((extension) => {
      if (isCurrent && parts !== null && parts === partsRef.current)
        parts.view.dispatch({ effects: parts.language.reconfigure(extension) })
    })
    return () => {
      isCurrent = false
    }
  }, [language])

  useEffect(() => {
    const parts = partsRef.current
    const own = complete === undefined ? {} : { override: [complete] }
    parts?.view.dispatch({ effects: parts.completion.reconfigure(autocompletion(own)) })
  }, [complete])

  // Layout effect: with a later effect, a key in between would make the echo of the last key look like a new text.
  useLayoutEffect(() => {
    const parts = partsRef.current
    if (parts === null || parts.known === text) return
    // In an empty editor, the cursor goes to the end of the owner's text.
    const selection = parts.known === '' ? { selection: { anchor: text.length } } : {}
    parts.view.dispatch({ changes: differingPart(parts.known, text), ...selection, userEvent: 'owner' })
  }, [text])

  useEffect(() => {
    const view = partsRef.current?.view
    const found = diagnostics ?? []
    view?.dispatch(
      setDiagnostics(
        view.state,
        found.map((each) => within(each, view.state.doc.length)),
      ),
    )
  }, [diagnostics])

  useImperativeHandle(
    ref,
    () => ({
      focus: () => partsRef.current?.view.focus(),
      select: (from, to) => {
        const view = partsRef.current?.view
        if (view === undefined) return
        const { length } = view.state.doc
        const selection = { anchor: Math.min(from, length), head: Math.min(to, length) }
        view.dispatch({ selection, effects: EditorView.scrollIntoView(selection.anchor, { y: 'center' }) })
        view.focus()
      },
      scrollTo: (at) => {
        const view = partsRef.current?.view
        const place = Math.min(at, view?.state.doc.length ?? 0)
        view?.dispatch({ effects: EditorView.scrollIntoView(place, { y: 'start' }) })
      },
    }),
    [],
  )

  return <div ref={hostRef} data-typing className={cx('raised', styles.host, fills && styles.fills)} />
}
