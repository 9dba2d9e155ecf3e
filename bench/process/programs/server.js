// A loopback server: /slow never answers, /sse a byte a second, /bulk about 20 MB/s for ever, /wait/MS after so long. Says its port.
import http from 'node:http'

const piece = Buffer.alloc(1 << 20)

const server = http.createServer((request, answer) => {
  const [, way, ms] = request.url.split('/')
  if (way === 'slow') return
  if (way === 'wait') {
    setTimeout(() => answer.end('ok'), Number(ms))
    return
  }
  if (way === 'sse' || way === 'bulk') {
    answer.writeHead(200, {
      'content-type': way === 'sse' ? 'text/event-stream' : 'application/octet-stream',
    })
    const timer = setInterval(() => answer.write(way === 'sse' ? '.' : piece), way === 'sse' ? 1000 : 50)
    answer.on('close', () => clearInterval(timer))
    return
  }
  answer.end('ok')
})
server.keepAliveTimeout = 3_600_000
server.requestTimeout = 0
server.listen(0, '127.0.0.1', () => process.stdout.write(`ready ${server.address().port}\n`))
