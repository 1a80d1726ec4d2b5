import { describe, expect, it } from 'vitest'
import { innermostCause } from './innermost-cause.ts'

describe('the innermost cause', () => {
  it('of a refusal inside the cluster is what was refused, not the state of the cluster', () => {
    const text =
      "Raven.Client.Exceptions.Documents.Indexes.IndexCreationException: Failed to create indexes. Cluster is probably down.\nStatic: T/ByName\nNode A state is Leader\n\n ---> Raven.Server.Rachis.RachisApplyException: Failed to update database record.\n ---> Raven.Server.Rachis.RachisApplyException: Failed to update index 'T/ByName'\n ---> Raven.Client.Exceptions.Documents.Indexes.IndexAlreadyExistException: Cannot edit existing index T/ByName with lock mode LockedError\n   at Raven.Client.ServerWide.DatabaseRecord.AddIndex()\n   --- End of inner exception stack trace ---\n   at X"
    expect(innermostCause(text)).toBe('Cannot edit existing index T/ByName with lock mode LockedError')
  })

  it('is the message where there is one exception', () => {
    expect(innermostCause('System.ArgumentException: Bad: value\r\n   at A.B()')).toBe('Bad: value')
    expect(innermostCause('just words: here')).toBe('just words: here')
  })

  it('of a connection that was reset has neither the number of the error nor the end of a stack', () => {
    const text =
      'System.IO.IOException: Unable to read.\n ---> System.Net.Sockets.SocketException (104): Connection reset by peer\n   --- End of inner exception stack trace ---\n   at A.B()'
    expect(innermostCause(text)).toBe('Connection reset by peer')
  })

  it('is the one that says of what, such as the counter whose increment overflows on 7.1.5', () => {
    const words = "Could not increment counter 'c' from document 'a/1' with value '9223372036854775807' by '1'."
    const text = `Raven.Client.Exceptions.Documents.Counters.CounterOverflowException: ${words}\n ---> System.OverflowException: Arithmetic operation resulted in an overflow.\n   at A.B()`
    expect(innermostCause(text)).toBe(words)
    expect(innermostCause('System.OverflowException: Too large.\n   at A.B()')).toBe('Too large.')
  })

  it('is cut, and is none where there is no text', () => {
    expect(innermostCause('x'.repeat(5000))).toHaveLength(1001)
    expect([innermostCause(null), innermostCause('  ')]).toEqual([null, null])
  })
})
