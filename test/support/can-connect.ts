/** Whether something listens on a loopback port. */
import net from 'node:net'

export const canConnect = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const socket = net.connect(port, '127.0.0.1')
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
