import { OTHER_JOBS } from '../time/cpu-areas.ts'
import { cpuLane } from './cpu-tracks.ts'

/** CPU of the server's threads by job, without the rest of the machine. Scaled to the highest value. */
export default cpuLane({
  title: 'CPU by job, of all cores',
  hasIdle: false,
  has: ({ job, key }) => job !== null || key === OTHER_JOBS,
  // A server with many cores seldom uses all of them; the scale is never 0.
  topOf: (known, bands) =>
    known.reduce(
      (most, bucket) =>
        Math.max(
          most,
          bands.reduce((total, { percent }) => total + Math.max(0, percent[bucket] ?? 0), 0),
        ),
      1,
    ),
})
