import { fireEvent, screen, within } from '@testing-library/react'

/** The menu of a button as it is when it is open, in a document that knows no popovers. */
export function openMenu(name: string | RegExp, inside?: HTMLElement): HTMLElement {
  const menu = (inside === undefined ? screen : within(inside)).getByRole('menu', { hidden: true, name })
  for (const type of ['beforetoggle', 'toggle'])
    fireEvent(menu, Object.assign(new Event(type), { newState: 'open', oldState: 'closed' }))
  return menu
}
