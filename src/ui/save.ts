/** Target of bytes that are saved piece by piece. Every method may fail with an error of the browser. */
export interface SaveTarget {
  /** The browser saves the file after `finish`, and does not report whether it succeeded. */
  readonly isDownload: boolean
  readonly write: (piece: Uint8Array<ArrayBuffer>) => Promise<void>
  /** Completes the file. */
  readonly finish: () => Promise<void>
  /** Discards everything; a file that was to be replaced stays as it was. Never fails. */
  readonly discard: () => Promise<void>
}

export interface SaveOptions {
  /** Suggested name, with its extension. */
  readonly name: string
  readonly mediaType: string
  /** Approximate size. */
  readonly expectedBytes: number
}

/** Size that downloads can hold in memory; above it the user chooses a file that is written directly. */
const DOWNLOAD_BYTES = 64 * 1024 * 1024

/** A dialog that closes within this time, ms, was never shown (no display, a policy): no user is so fast. */
const NEVER_SHOWN_MS = 250

/** Forms that Chromium accepts. */
const EXTENSION = /\.[A-Za-z0-9_+-]{1,15}$/
const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+$/

/** Part of the File System Access API that not every browser has. */
interface PickerWindow {
  readonly showSaveFilePicker?: (options: {
    readonly suggestedName: string
    readonly types?: readonly { readonly accept: Readonly<Record<string, readonly string[]>> }[]
  }) => Promise<FileSystemFileHandle>
}

/**
 * Lets the user choose where to, if need be; call it at a click. Null: the user decided not to.
 *
 * - What is small goes the usual way of downloads.
 * - What is large goes straight into a file that the user picks, where the browser can do that (Chromium, in a secure
 *   context: https or this machine): memory stays as it is, whatever the size.
 * - Else the pieces become blobs and at last one download. A blob lies outside of the page's heap, and browsers move
 *   blobs to the disk when they grow, so that here, too, the page itself never holds the whole.
 */
export async function chooseSaveTarget(options: SaveOptions): Promise<SaveTarget | null> {
  const { showSaveFilePicker } = globalThis as PickerWindow
  if (showSaveFilePicker === undefined || options.expectedBytes < DOWNLOAD_BYTES) return new DownloadTarget(options)
  const requestedMs = performance.now()
  try {
    const [extension] = EXTENSION.exec(options.name) ?? []
    const handle = await showSaveFilePicker.call(globalThis, {
      suggestedName: options.name,
      // The picker throws at any other, which an attachment may have.
      ...(extension !== undefined && MEDIA_TYPE.test(options.mediaType)
        ? { types: [{ accept: { [options.mediaType]: [extension] } }] }
        : {}),
    })
    return new FileTarget(await handle.createWritable())
  } catch (error) {
    const dismissed = error instanceof DOMException && error.name === 'AbortError'
    if (dismissed && performance.now() - requestedMs > NEVER_SHOWN_MS) return null
    return new DownloadTarget(options)
  }
}

/** File that the browser writes under a temporary name and renames at the end. */
class FileTarget implements SaveTarget {
  readonly isDownload = false
  readonly #stream: FileSystemWritableFileStream

  constructor(stream: FileSystemWritableFileStream) {
    this.#stream = stream
  }

  write(piece: Uint8Array<ArrayBuffer>): Promise<void> {
    return this.#stream.write(piece)
  }

  finish(): Promise<void> {
    return this.#stream.close()
  }

  discard(): Promise<void> {
    // Discards the file, whether the stream is open or not.
    return this.#stream.abort().catch(() => undefined)
  }
}

/** Blobs are joined at this number: a list of a hundred thousand would cost as much as its content. */
const BLOBS_JOINED = 64
/** Time until the object URL is revoked, ms; a download has begun long before. */
const ADDRESS_KEPT_MS = 60_000

class DownloadTarget implements SaveTarget {
  readonly isDownload = true
  readonly #options: SaveOptions
  #large: Blob[] = []
  #small: Blob[] = []

  constructor(options: SaveOptions) {
    this.#options = options
  }

  write(piece: Uint8Array<ArrayBuffer>): Promise<void> {
    this.#small.push(new Blob([piece]))
    if (this.#small.length === BLOBS_JOINED) {
      this.#large.push(new Blob(this.#small))
      this.#small = []
    }
    return Promise.resolve()
  }

  async finish(): Promise<void> {
    const whole = new Blob([...this.#large, ...this.#small], { type: this.#options.mediaType })
    this.#drop()
    // A piece for which the browser had no disk space cannot be read; only reading reports that.
    await whole.slice(-1).arrayBuffer()
    const address = URL.createObjectURL(whole)
    const link = document.createElement('a')
    link.href = address
    link.download = this.#options.name
    document.body.append(link)
    link.click()
    link.remove()
    setTimeout(() => URL.revokeObjectURL(address), ADDRESS_KEPT_MS)
  }

  discard(): Promise<void> {
    this.#drop()
    return Promise.resolve()
  }

  #drop(): void {
    this.#large = []
    this.#small = []
  }
}
