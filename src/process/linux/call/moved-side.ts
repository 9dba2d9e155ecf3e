/**
 * Which side of a call that moves bytes from one file to another holds it up. Its arguments name both; the function that the
 * thread sleeps in says which one it waits for (docs/process.md#the-closure).
 */
import type { Call, Want } from '../../snapshot.ts'

const moving: ReadonlySet<string> = new Set(['splice', 'tee', 'vmsplice', 'sendfile'])

/** wchan, and the side that is waited for; the file of Linux that has the function. */
const sides: Readonly<Record<string, Want>> = {
  // fs/pipe.c
  pipe_wait_readable: 'read',
  pipe_wait_writable: 'write',
  // net/unix/af_unix.c
  unix_stream_read_generic: 'read',
  unix_stream_data_wait: 'read',
  // net/core/sock.c
  sock_alloc_send_pskb: 'write',
  // net/core/stream.c
  sk_stream_wait_memory: 'write',
}

/** The call with the side that it waits for alone; with both where it is not told. */
export function withSide(call: Call, wchan: string): Call {
  const side = sides[wchan]
  if (side === undefined || call.type !== 'fds' || !moving.has(call.name)) return call
  return { ...call, fds: call.fds.filter(({ want }) => want === side) }
}
