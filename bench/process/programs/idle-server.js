// A server that nobody calls.
import http from 'node:http'

http.createServer((_, answer) => answer.end()).listen(0, '127.0.0.1')
