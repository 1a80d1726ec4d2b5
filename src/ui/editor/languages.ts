import type { Extension } from '@codemirror/state'
import type { EditorLanguage } from './editor-types.ts'

/** Language support by name, each loaded when a text in that language is shown. */
export const LANGUAGES: Readonly<Record<EditorLanguage, () => Promise<Extension>>> = {
  json: async () => (await import('@codemirror/lang-json')).json(),
  javascript: async () => (await import('@codemirror/lang-javascript')).javascript(),
  csharp: async () => {
    const [{ StreamLanguage }, { csharp }] = await Promise.all([
      import('@codemirror/language'),
      import('@codemirror/legacy-modes/mode/clike'),
    ])
    return StreamLanguage.define(csharp)
  },
  rql: async () => {
    const [{ StreamLanguage }, { rqlMode }] = await Promise.all([
      import('@codemirror/language'),
      import('./rql-mode.ts'),
    ])
    return StreamLanguage.define(rqlMode)
  },
  text: () => Promise.resolve([]),
}
