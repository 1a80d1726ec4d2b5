/** A ready-made SQL statement. Its columns are those of docs/archive.md, with times beside ticks. */
export interface Question {
  readonly title: string
  readonly sql: string
}

export const QUESTIONS: readonly Question[] = [
  {
    title: 'Slowest journal writes of each hour',
    sql: `select date_trunc('hour', "start") as "hour", node, source, count(*) as writes, round(max(duration_ms), 2) as slowest_ms
from io where kind = 'JournalWrite'
group by all order by slowest_ms desc limit 200`,
  },
  {
    title: 'The 100 longest I/O events',
    sql: `select "start", node, source, kind, round(duration_ms, 2) as duration_ms, size_bytes, path
from io order by duration_ticks desc limit 100`,
  },
  {
    title: 'Percentiles of journal writes by hour',
    sql: `select date_trunc('hour', "start") as "hour", node, count(*) as writes,
  round(quantile_cont(duration_ms, 0.5), 3) as p50_ms, round(quantile_cont(duration_ms, 0.99), 3) as p99_ms
from io where kind = 'JournalWrite' group by all order by "hour", node`,
  },
  {
    title: 'p99 of journal writes, last hour against the day before',
    sql: `with last as (select max("start") as newest from io)
select node, source,
  round(quantile_cont(duration_ms, 0.99) filter ("start" > newest - interval 1 hour), 3) as p99_now_ms,
  round(quantile_cont(duration_ms, 0.99) filter ("start" between newest - interval 25 hour and newest - interval 24 hour), 3) as p99_day_before_ms
from io, last where kind = 'JournalWrite' group by all order by p99_now_ms desc`,
  },
  {
    title: 'Bytes and time by kind and storage',
    sql: `select node, source, kind, count(*) as events, sum(size_bytes) as bytes, round(sum(duration_ms) / 1000, 3) as seconds
from io group by all order by seconds desc`,
  },
  {
    title: 'Minutes with most slow journal writes',
    sql: `select date_trunc('minute', "start") as "minute", node, count(*) as slow, round(max(duration_ms), 2) as slowest_ms
from io where kind = 'JournalWrite' and duration_ms >= 10
group by all order by slow desc limit 100`,
  },
  {
    title: 'Indexes by time in batches',
    sql: `select node, source, "index", count(*) as batches, round(sum(duration_ms) / 1000, 2) as seconds, round(max(duration_ms), 1) as longest_ms
from batches group by all order by seconds desc`,
  },
  {
    title: 'The 100 longest batches',
    sql: `select "start", node, source, "index", round(duration_ms, 1) as duration_ms
from batches order by duration_ticks desc limit 100`,
  },
  {
    title: 'Findings, the longest first',
    sql: `select "start", "end", node, level, title, round((end_ticks - start_ticks) / 1e7) as seconds
from findings order by seconds desc`,
  },
  {
    title: 'CPU of the server by minute',
    sql: `select date_trunc('minute', "at") as "minute", node, round(avg(value), 1) as mean_percent, round(max(value), 1) as most_percent
from vitals where key = 'cpu.process' group by all order by "minute", node`,
  },
  {
    title: 'What is not known, and why',
    sql: `select "start", "end", node, source, reason, lane, missing_count, missing_bytes
from gaps order by "start"`,
  },
  {
    title: 'Slow queries',
    sql: `select "start", node, detail->>'database' as database, detail->>'runningMs' as running_ms, detail->>'query' as query
from queries order by (detail->>'runningMs')::double desc limit 200`,
  },
  {
    title: 'Log of the server by level and logger',
    sql: `select level, node, resource, logger, count(*) as "lines", min("at") as "first", max("at") as "last", any_value(message) as example
from logs group by all order by "lines" desc limit 200`,
  },
  {
    title: 'Rows recorded by day',
    sql: `select day, node, count(*) as events, sum(size_bytes) as bytes from io group by all order by day, node`,
  },
]
