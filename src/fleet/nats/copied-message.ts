/**
 * Whether a message was written by who may write to its subject. The server sends what it is asked for to any subject that the question names
 * for its reply, even one to which the asker may not publish: who looks could have a message of one host copied into the history of another.
 * What the server copies it marks with where it is from. Pure.
 */
import type { MsgHdrs } from '@nats-io/transport-node'

export const isCopy = (headers: MsgHdrs | undefined): boolean => headers?.has('Nats-Stream') ?? false
