/** Key of a running query, unique within a server and stable while it runs; used in links. */
export const queryKey = ({
  database,
  index,
  id,
}: {
  readonly database: string
  readonly index: string
  readonly id: number
}): string => `${database}|${index}|${id}`

/** Name of a query in an action: number and index, by which the server kills it. */
export const queryName = (id: number, index: string): string => `${id} ${index}`
