/** Requests to the host. */
import { socketRequests } from '../os/socket/socket-request.ts'

export const host = socketRequests({ who: 'the host', code: 'HOST_GONE' })
