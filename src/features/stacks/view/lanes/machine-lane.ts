import { cpuLane } from './cpu-tracks.ts'

/** CPU of the whole machine: jobs of the server, the rest of its process, the rest of the machine. */
export default cpuLane({ title: 'CPU of the machine', hasIdle: true, has: () => true, topOf: () => 100 })
