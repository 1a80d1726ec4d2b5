import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** Uses the page's custom properties, which reach into the shadow root: no new editor for a new theme. */
const theme = EditorView.theme({
  '&': { backgroundColor: 'var(--bg-raised)', color: 'var(--fg)', fontSize: 'var(--text-s)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--fg)' },
  '.cm-gutters': {
    backgroundColor: 'var(--bg-sunken)',
    color: 'var(--fg-muted)',
    borderRight: '1px solid var(--border)',
  },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine': { backgroundColor: 'var(--bg-sunken)' },
  '.cm-activeLineGutter': { backgroundColor: 'var(--bg-active)' },
  '.cm-content ::selection, .cm-line::selection, .cm-line ::selection': { backgroundColor: 'var(--bg-active)' },
  '.cm-selectionMatch': { backgroundColor: 'var(--bg-active)' },
  '.cm-searchMatch': { backgroundColor: 'var(--warn-bg)', outline: '1px solid var(--warn)' },
  '.cm-searchMatch-selected': { backgroundColor: 'var(--accent-bg)', outline: '2px solid var(--accent)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--accent-bg)', outline: '1px solid var(--accent)' },
  '&.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'var(--error-bg)' },
  '.cm-placeholder': { color: 'var(--fg-muted)' },
  '.cm-foldPlaceholder': {
    backgroundColor: 'var(--bg-active)',
    border: '1px solid var(--border)',
    color: 'var(--fg)',
    margin: '0 0.25rem',
  },
  '.cm-specialChar': { color: 'var(--error)', outline: '1px solid var(--error)' },
  '.cm-carriageReturn': { color: 'var(--fg-muted)', fontSize: '0.75em', userSelect: 'none' },
  '.cm-panels': { backgroundColor: 'var(--bg-sunken)', color: 'var(--fg)' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--border)' },
  '.cm-panel.cm-search': { padding: '0.5rem', fontFamily: 'var(--font)' },
  '.cm-panel.cm-search label': { fontSize: 'var(--text-s)', whiteSpace: 'normal' },
  '.cm-panel.cm-search [name=close]': { minWidth: '1.5rem', minHeight: '1.5rem', color: 'var(--fg)' },
  '.cm-textfield, .cm-button': {
    minHeight: 'var(--control-s)',
    border: '1px solid var(--border-strong)',
    borderRadius: 'var(--radius-s)',
    background: 'var(--bg-raised)',
    backgroundImage: 'none',
    color: 'var(--fg)',
    fontSize: 'var(--text-s)',
  },
  '.cm-button:active': { backgroundImage: 'none', background: 'var(--bg-active)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--bg-raised)',
    border: '1px solid var(--border-strong)',
    color: 'var(--fg)',
    boxShadow: 'var(--shadow)',
  },
  '.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--accent-bg)', color: 'var(--fg)' },
  '.cm-completionDetail': { color: 'var(--fg-muted)' },
  '.cm-diagnostic': { fontFamily: 'var(--font)', fontSize: 'var(--text-s)' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--error)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--warn)' },
  '.cm-diagnostic-info': { borderLeftColor: 'var(--info)' },
  '.cm-lintRange-error': { backgroundImage: 'none', borderBottom: '2px solid var(--error)' },
  '.cm-lintRange-warning': { backgroundImage: 'none', borderBottom: '2px solid var(--warn)' },
  '.cm-lintRange-info': { backgroundImage: 'none', borderBottom: '1px solid var(--info)' },
  // Differences have a background for the line and an underline for the characters, so that colour is not the only
  // mark.
  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk': { backgroundColor: 'var(--error-bg)' },
  '&.cm-merge-b .cm-changedLine, .cm-inlineChangedLine': { backgroundColor: 'var(--ok-bg)' },
  '&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText': {
    background: 'none',
    textDecoration: 'line-through var(--error)',
  },
  '&.cm-merge-b .cm-changedText': { background: 'none', borderBottom: '2px solid var(--ok)' },
  '&.cm-merge-b .cm-deletedText': { background: 'none' },
  '&.cm-merge-a .cm-changedLineGutter, .cm-deletedLineGutter': { background: 'var(--error)' },
  '&.cm-merge-b .cm-changedLineGutter': { background: 'var(--ok)' },
  '.cm-deletedChunk button, .cm-merge-revert button': {
    minWidth: '1.5rem',
    minHeight: '1.5rem',
    border: '1px solid var(--border-strong)',
    borderRadius: 'var(--radius-s)',
    background: 'var(--bg-raised)',
    color: 'var(--fg)',
  },
  '.cm-collapsedLines:focus-visible': { outline: '2px solid var(--focus)', outlineOffset: '-2px' },
  '.cm-collapsedLines': {
    background: 'var(--bg-sunken)',
    color: 'var(--fg-muted)',
    fontFamily: 'var(--font)',
    // Few fonts have the library's character.
    '&:before': { content: '"⋯"' },
    '&:after': { content: '"⋯"' },
  },
})

/** Text colours with a contrast of 4.5 : 1 in both themes and palettes. */
const highlight = HighlightStyle.define([
  { tag: [tags.propertyName, tags.typeName, tags.className], color: 'var(--accent)' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: 'var(--ok)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--info)' },
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: 'var(--warn)', fontWeight: '600' },
  { tag: [tags.comment, tags.meta], color: 'var(--fg-muted)', fontStyle: 'italic' },
  { tag: tags.invalid, color: 'var(--error)', textDecoration: 'underline' },
])

export const editorTheme = [theme, syntaxHighlighting(highlight)]
