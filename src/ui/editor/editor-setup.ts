import { closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit } from '@codemirror/language'
import { lintKeymap } from '@codemirror/lint'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { EditorState, Prec, type Extension } from '@codemirror/state'
import {
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  type KeyBinding,
} from '@codemirror/view'
import { HIDDEN_IN_LINES, escapedCharacter } from '../../base/text/visible.ts'
import { editorTheme } from './editor-theme.ts'
import { nearMatch } from './near-match.ts'

const CARRIAGE_RETURN = 0x0d

/**
 * Shows hidden characters and unpaired surrogates as escapes; the text keeps them. Carriage returns are shown faintly:
 * definitions saved from Windows have one at the end of each line.
 */
const shownEscapes = highlightSpecialChars({
  addSpecialChars: new RegExp(String.raw`${HIDDEN_IN_LINES.source}|[\uD800-\uDFFF]`),
  render: (code, description) => {
    const mark = document.createElement('span')
    mark.className = code === CARRIAGE_RETURN ? 'cm-carriageReturn' : 'cm-specialChar'
    mark.textContent = escapedCharacter(code)
    mark.title = description ?? 'half of a surrogate pair'
    return mark
  },
})

/** Escape leaves the editor if nothing is to close, and Tab is not captured: no keyboard trap. */
const leaves: KeyBinding = {
  key: 'Escape',
  run: (view) => {
    view.contentDOM.blur()
    return true
  },
}

/** Keeps carriage returns, which the editor turns into line feeds. Must be set when a state is created. */
export const keptLineEnds = EditorState.lineSeparator.of('\n')

/** Extensions for editors and for both sides of a diff. */
export const commonSetup = (label: string, isReadOnly: boolean): Extension => [
  indentUnit.of('    '),
  shownEscapes,
  lineNumbers(),
  foldGutter(),
  bracketMatching(),
  search({ top: true }),
  nearMatch,
  EditorView.lineWrapping,
  EditorState.readOnly.of(isReadOnly),
  EditorView.contentAttributes.of({ 'aria-label': label, ...(isReadOnly ? { 'aria-readonly': 'true' } : {}) }),
  keymap.of([...searchKeymap, ...foldKeymap]),
  Prec.lowest(keymap.of([leaves])),
  editorTheme,
]

/**
 * Dispatches text typed over a selection as a transaction: otherwise Chromium would keep the replaced colours as inline
 * styles, which the page's policy refuses and reports.
 */
const typedOver = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    const { ranges, main } = view.state.selection
    const { data: text, inputType } = event
    if (inputType !== 'insertText' || text === null || ranges.length > 1 || main.empty || view.composing) return false
    const typed = () =>
      view.state.update(view.state.replaceSelection(text), { userEvent: 'input.type', scrollIntoView: true })
    const handlers = view.state.facet(EditorView.inputHandler)
    if (!handlers.some((handle) => handle(view, main.from, main.to, text, typed))) view.dispatch(typed())
    event.preventDefault()
    return true
  },
})

/** Extensions for an editor that can be changed. */
export const typingSetup: Extension = [
  typedOver,
  history(),
  indentOnInput(),
  closeBrackets(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  highlightSelectionMatches(),
  keymap.of([...closeBracketsKeymap, ...completionKeymap, ...lintKeymap, ...historyKeymap, ...defaultKeymap]),
]

export const readingSetup: Extension = keymap.of(defaultKeymap)
