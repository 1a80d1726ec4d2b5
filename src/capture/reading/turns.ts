const channel = new MessageChannel()
const waiting: (() => void)[] = []
channel.port2.onmessage = () => waiting.shift()?.()

/** Lets the messages that wait have their turn. A timer would be held back to 4 ms after a few rounds. */
export const turn = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve)
    channel.port1.postMessage(null)
  })
