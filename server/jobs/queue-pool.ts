import { Pool } from 'pg'

/** How the queue's driver reaches the database of `url`: libpq's meaning of `sslmode`, not that driver's own. */
function queueUrl(url: string): string {
  if (!url.includes('sslmode=')) return url
  return `${url}${url.includes('?') ? '&' : '?'}uselibpqcompat=true`
}

/**
 * A pool whose connections may die without ending the process: every client tells its errors to somebody. Its commits do
 * not wait for the disk: what a database that crashes forgets of them, that a job was taken or is done with, is found out
 * from the job's own row.
 */
export function openQueuePool(url: string, max: number, onError: (error: Error) => void): Pool {
  const pool = new Pool({
    connectionString: queueUrl(url),
    max,
    application_name: 'fordra jobs',
    options: '-c synchronous_commit=off',
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
  })
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
  return pool
}
