import { OTHER_JOBS } from '../time/cpu-areas.ts'
import { cpuLane } from './cpu-tracks.ts'

/** CPU of threads by job. The rest of the machine is left out: the lane is as high as the most of what is known. */
export default cpuLane({
  title: 'CPU by job, of all cores',
  hasIdle: false,
  has: ({ job, key }) => job !== null || key === OTHER_JOBS,
  // A server with many cores seldom uses all of them; never 0.
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
