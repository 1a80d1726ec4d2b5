/** Within one server: the same while a query runs, and in links to it. */
export const queryKey = ({
  database,
  index,
  id,
}: {
  readonly database: string
  readonly index: string
  readonly id: number
}): string => `${database}|${index}|${id}`

/** As an action names it: by number and index, which the server kills by. */
export const queryName = (id: number, index: string): string => `${id} ${index}`
