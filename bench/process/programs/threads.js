// Threads: `atomics` waits for a word that nobody changes; `workers` play ping-pong, with some work and some sleep; `pbkdf2`.
import { pbkdf2 } from 'node:crypto'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'

function work() {
  parentPort.on('message', turn => {
    let sum = 0
    for (let i = 0; i < (turn % 5) * 3e6; i++) sum += i
    setTimeout(() => parentPort.postMessage(sum), (turn % 7) * 20)
  })
}

function play() {
  for (let i = 0; i < 3; i++) {
    const worker = new Worker(new URL(import.meta.url))
    let turn = i
    worker.on('message', () => worker.postMessage(++turn))
    worker.postMessage(turn)
  }
}

const hash = () => pbkdf2('secret', 'salt', 5e7, 64, 'sha512', hash)

if (!isMainThread) work()
else if (process.argv[2] === 'workers') play()
else if (process.argv[2] === 'pbkdf2') hash()
else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
