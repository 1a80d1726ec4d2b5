import { RavenError } from '../errors/errors.ts'

/**
 * Loads a part of this page, which comes from the server, when it is first needed. Errors: `RavenError` if the server does not answer,
 * of a kind that says that nothing was sent.
 */
export async function loadedPart<Part>(path: string, load: () => Promise<Part>): Promise<Part> {
  try {
    return await load()
  } catch (cause) {
    throw new RavenError({
      kind: 'refused',
      endpoint: path,
      message: 'Nothing was sent: the server does not answer, and a part of this page comes from it.',
      hint: 'Repeat it once the server answers. Reload the page if it fails again.',
      cause,
    })
  }
}
