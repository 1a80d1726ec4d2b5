import { Prec } from '@codemirror/state'
import { EditorView, ViewPlugin } from '@codemirror/view'

const FOLDED = '.cm-collapsedLines'

/** Makes a fold focusable: the library opens folded unchanged lines only by a click. */
function makeReachable({ contentDOM }: EditorView): void {
  for (const each of contentDOM.querySelectorAll<HTMLElement>(`${FOLDED}:not([tabindex])`)) {
    each.tabIndex = 0
    each.setAttribute('role', 'button')
  }
}

/** Lets folded lines of a diff be reached by Tab and opened by Enter or Space. */
export const foldedLinesByKeys = [
  ViewPlugin.define((view) => {
    // The folds are drawn after the update that adds them.
    const later = (): void => view.requestMeasure({ key: FOLDED, read: () => null, write: () => makeReachable(view) })
    later()
    return { update: later }
  }),
  Prec.highest(
    EditorView.domEventHandlers({
      keydown: (event, view) => {
        const { target, key } = event
        if (!(target instanceof HTMLElement) || !target.matches(FOLDED) || (key !== 'Enter' && key !== ' '))
          return false
        event.preventDefault()
        target.click()
        // The fold is removed, and the focus with it.
        view.focus()
        return true
      },
    }),
  ),
]
