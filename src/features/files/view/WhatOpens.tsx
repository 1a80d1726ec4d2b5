import type { ReactNode } from 'react'
import styles from './files.module.css'

/** Lists what can be opened, and where to get it. */
export function WhatOpens(): ReactNode {
  return (
    <div className={styles.what}>
      <h2 className={styles.whatTitle}>What can be opened, and where to get it</h2>
      <dl className={styles.whatList}>
        <div>
          <dt>Response of an endpoint</dt>
          <dd>
            The JSON as the server sends it, saved from a browser or with curl. <b>I/O</b>:{' '}
            <code>/databases/‹name›/debug/io-metrics</code>, and <code>/admin/debug/io-metrics</code> for the server’s
            own storage. <b>Indexing</b>: <code>/databases/‹name›/indexes/performance</code>. <b>Stacks</b>:{' '}
            <code>/admin/debug/threads/stack-trace</code>.
          </dd>
        </div>
        <div>
          <dt>Export of the official Studio</dt>
          <dd>
            <i>Stats › IO Stats</i>, <i>Indexes › Indexing Performance</i>, <i>Manage Server › Stack Traces</i>: what
            the button <i>Export</i> there saves.
          </dd>
        </div>
        <div>
          <dt>Export of this studio</dt>
          <dd>JSON and NDJSON of I/O, and JSON of stacks. Other formats are for other programs.</dd>
        </div>
        <div>
          <dt>Saved capture</dt>
          <dd>
            The <code>.rookery</code> file that <i>Save capture</i> writes: it opens to the same picture.
          </dd>
        </div>
        <div>
          <dt>Debug package</dt>
          <dd>
            <i>Manage Server › Gather Debug Info</i>, of a node or of the whole cluster; or{' '}
            <code>/admin/debug/info-package</code>, <code>/admin/debug/cluster-info-package</code>,{' '}
            <code>/databases/‹name›/debug/info-package</code>. All its data becomes one capture, the rest is listed.
            Creating one loads its databases.
          </dd>
        </div>
        <div>
          <dt>Recording</dt>
          <dd>
            The folder that <code>npx rookery record</code> writes. Of a large one the newest hours are opened first,
            and any other hour from its list.
          </dd>
        </div>
        <div>
          <dt>Lines of JSON (NDJSON)</dt>
          <dd>Frames of a live socket, or responses of one endpoint, one in each line.</dd>
        </div>
        <div>
          <dt>gzip</dt>
          <dd>
            Any of these, packed: <code>io-metrics.json.gz</code>.
          </dd>
        </div>
      </dl>
      <p className="faint">
        Files are recognised by content, not by name. Any other JSON or text can be viewed raw, of any size. Files are
        read in this browser and sent nowhere.
      </p>
    </div>
  )
}
