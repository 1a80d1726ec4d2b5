import { formatList, parseList, type ListText } from './param-text.ts'
import {
  paramsOfPanel,
  toLinkParams,
  type LinkParams,
  type PanelId,
  type ParamsToRead,
  type ParamsToWrite,
  type ViewParams,
} from './panels.ts'

/** How one setting of a panel is stored in parameters of the URL, usually in one. */
interface Setting<Value, Name extends string, Text extends string> {
  /** Reads the setting; a missing or invalid parameter means the default. */
  readonly read: (params: { readonly [Each in Name]?: string }) => Value
  /** An empty text is the default, which a link leaves out. */
  readonly write: (value: Value) => { readonly [Each in Name]: Text | '' }
}

/** Settings of a panel by their names in code, each with its parameters. */
type SettingTable<Id extends PanelId> = Readonly<
  Record<
    string,
    { readonly read: (params: ParamsToRead<Id>) => unknown; readonly write: (value: never) => ParamsToWrite<Id> }
  >
>

export type SettingsOf<Table> = {
  readonly [Key in keyof Table]: Table[Key] extends { readonly read: (params: never) => infer Value } ? Value : never
}

/**
 * Converts between the settings of a panel and its parameters in the URL. A table with a parameter that the panel does
 * not have does not compile.
 */
export const panelSettings = <Id extends PanelId, const Table extends SettingTable<Id>>(panel: Id, table: Table) => ({
  parse: (params: ViewParams): SettingsOf<Table> => {
    const own = paramsOfPanel(panel, params)
    return Object.fromEntries(Object.entries(table).map(([key, { read }]) => [key, read(own)])) as SettingsOf<Table>
  },
  /** Parameters of the given settings; an empty text removes a parameter. */
  format: (settings: Partial<SettingsOf<Table>>): LinkParams => {
    const params: ParamsToWrite<Id> = {}
    for (const [key, value] of Object.entries(settings))
      if (value !== undefined) Object.assign(params, table[key]?.write(value as never))
    return toLinkParams(panel, params)
  },
})

/** Setting in one parameter with a form of its own. */
export const setting = <Value, const Name extends string, Text extends string>(
  name: Name,
  parse: (text: string | undefined) => Value,
  format: (value: Value) => Text | '',
): Setting<Value, Name, Text> => ({
  read: (params) => parse(params[name]),
  write: (value) => ({ [name]: format(value) }) as { readonly [Each in Name]: Text | '' },
})

export const text = <const Name extends string>(name: Name) =>
  setting(
    name,
    (value = '') => value,
    (value) => value,
  )

/** Text; null: missing. */
export const textOrNull = <const Name extends string>(name: Name) =>
  setting(
    name,
    (value) => value ?? null,
    (value: string | null) => value ?? '',
  )

/** Boolean, false by default. */
export const switchedOn = <const Name extends string>(name: Name) =>
  setting(
    name,
    (value) => value === 'on',
    (on) => (on ? 'on' : ''),
  )

/** Boolean, true by default. */
export const switchedOff = <const Name extends string>(name: Name) =>
  setting(
    name,
    (value) => value !== 'off',
    (on) => (on ? '' : 'off'),
  )

export const choice = <const Name extends string, const Default extends string, const Other extends string>(
  name: Name,
  byDefault: Default,
  others: readonly Other[],
) =>
  setting(
    name,
    (value): Default | Other => others.find((each) => each === value) ?? byDefault,
    (value) => others.find((each) => each === value) ?? '',
  )

/** Set of texts. */
export const list = <const Name extends string>(name: Name) =>
  setting<ReadonlySet<string>, Name, ListText>(name, parseList, (items) => formatList(items))

/** `size-down`; descending by `columns[0]` is the default. */
export const sorting = <const Name extends string, const Column extends string>(
  name: Name,
  columns: readonly [Column, ...Column[]],
) =>
  setting(
    name,
    (value = ''): { readonly id: Column; readonly descending: boolean } => {
      const [column, direction] = value.split('-')
      const id = columns.find((each) => each === column)
      return id === undefined ? { id: columns[0], descending: true } : { id, descending: direction !== 'up' }
    },
    ({ id, descending }): `${Column}-${'up' | 'down'}` | '' =>
      id === columns[0] && descending ? '' : `${id}-${descending ? 'down' : 'up'}`,
  )
