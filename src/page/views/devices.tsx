/** Who may use the API; a link for another device; notices of this browser. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { act, read } from '../host/ask.ts'
import { canAct, hostNow, scope } from '../host/link.ts'
import { useLoaded } from '../host/use-loaded.ts'
import { askToNotify, mayNotify, shownTest } from '../notices.ts'
import { useTapTwice } from '../tap-twice.ts'
import type { Device } from '../types.ts'
import { visibly } from '../words.ts'
import { revokeWords } from './revoke-words.ts'

type Offer = {
  readonly name: string
  readonly link: string
  readonly until: string
  readonly qr: readonly string[]
}

/** While a link is open: the device that uses it shows. ms */
const lookMs = 1500

export function DevicesView() {
  const [times, again] = useState(0)
  const [result, setResult] = useState('')
  const [offer, setOffer] = useState<Offer | undefined>(undefined)
  const isListed = scope.value === 'act'
  const { loaded, problem } = useLoaded(
    `${isListed} ${times} ${offer?.link}`,
    async signal =>
      isListed ? (await read<{ tokens: readonly Device[] }>('/v1/tokens', signal)).tokens : undefined,
    offer === undefined ? undefined : lookMs,
  )
  useEffect(() => {
    if (!offer) return
    if (loaded?.some(({ name }) => name === offer.name)) {
      setOffer(undefined)
      setResult(`${visibly(offer.name)} was let in.`)
    } else if (hostNow() > Date.parse(offer.until)) {
      setOffer(undefined)
      setResult(`Nobody has used the link for ${visibly(offer.name)}: create another one.`)
    }
  }, [loaded, offer])
  async function revoke(token: string): Promise<void> {
    try {
      const { also } = await act(`/v1/tokens/${encodeURIComponent(token)}/revoke`, {})
      const others = (also as readonly string[]).join(', ')
      setResult(`${visibly(token)} is revoked${others && `, and what it let in: ${visibly(others)}`}.`)
      again(times + 1)
    } catch (error) {
      setResult((error as Error).message)
    }
  }
  return (
    <>
      <h1>Devices</h1>
      <Notifying />
      <h2>Tokens</h2>
      <p role="status">{problem ?? result}</p>
      {isListed ? null : <p class="quiet">The list of tokens needs a token that may act.</p>}
      <ul class="runs">
        {loaded?.map(token => (
          <li key={token.name}>
            <strong>{visibly(token.name)}</strong> {token.isThis ? '(this browser) ' : ''}may{' '}
            {token.scope === 'act' ? 'read and act' : 'read'};{' '}
            {token.by === undefined ? 'made' : `let in by ${visibly(token.by)}`}{' '}
            {new Date(token.created).toLocaleDateString()},{' '}
            {token.seenAt === undefined ? 'never used' : `used ${new Date(token.seenAt).toLocaleString()}`}
            <Revoke name={token.name} warning={revokeWords(token, loaded)} revoke={revoke} />
          </li>
        ))}
      </ul>
      <AddDevice offer={offer} setOffer={setOffer} />
    </>
  )
}

type AddProps = {
  readonly offer: Offer | undefined
  readonly setOffer: (offer: Offer) => void
}

function AddDevice({ offer, setOffer }: AddProps) {
  const [name, setName] = useState('')
  const [scope, setScope] = useState('read')
  const [problem, setProblem] = useState('')
  async function add(): Promise<void> {
    try {
      const given = await act('/v1/tokens/link', { name, scope })
      setOffer({ name, ...given } as unknown as Offer)
      setProblem('')
    } catch (error) {
      setProblem((error as Error).message)
    }
  }
  return (
    <>
      <h2>Add a device</h2>
      <form
        class="tools"
        onSubmit={event => {
          event.preventDefault()
          void add()
        }}
      >
        <input
          aria-label="Name"
          placeholder="Name, such as phone"
          value={name}
          onInput={event => setName(event.currentTarget.value)}
        />
        <select aria-label="Scope" value={scope} onChange={event => setScope(event.currentTarget.value)}>
          <option value="read">may read</option>
          <option value="act">may read and act</option>
        </select>
        <button type="submit" disabled={name === '' || !canAct.value}>
          Create a link
        </button>
      </form>
      <p role="status">{problem}</p>
      {offer ? (
        <>
          <Code rows={offer.qr} />
          {isLoopback ? (
            <p class="problem">
              Only this machine can open it: for a phone, see <code>lull serve --listen</code> and{' '}
              <code>--behind-proxy</code>.
            </p>
          ) : null}
          <p>
            <code>{offer.link}</code> works once, until {new Date(offer.until).toLocaleTimeString()}.
          </p>
        </>
      ) : null}
    </>
  )
}

const isLoopback = /^(?:localhost|127\.|\[::1\])/.test(location.hostname)

/** A QR code, a pixel for each module. */
function Code({ rows }: { readonly rows: readonly string[] }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const pen = canvas.current?.getContext('2d')
    if (!pen) return
    for (const [y, row] of rows.entries())
      for (const [x, module] of Array.from(row).entries()) {
        pen.fillStyle = module === '1' ? '#000' : '#fff'
        pen.fillRect(x, y, 1, 1)
      }
  }, [rows])
  const size = rows.length
  return (
    <canvas ref={canvas} class="qr" width={size} height={size} role="img" aria-label="QR code of the link" />
  )
}

type RevokeProps = {
  readonly name: string
  /** What it ends besides. */
  readonly warning: string
  readonly revoke: (name: string) => Promise<void>
}

function Revoke({ name, warning, revoke }: RevokeProps) {
  const { isAsked, tap } = useTapTwice(() => void revoke(name))
  return (
    <>
      <button type="button" disabled={!canAct.value} onClick={tap}>
        {isAsked ? `Tap again: revoke ${name}` : 'Revoke'}
      </button>
      {isAsked && warning !== '' ? (
        <span class="problem" role="alert">
          {' '}
          {warning}
        </span>
      ) : null}
    </>
  )
}

/** Sent by the host, so that the whole way is tested. */
function TestNotice() {
  const [askedAt, ask] = useState(-Infinity)
  const [problem, setProblem] = useState('')
  // Each stream gets it: that of this page, too.
  const isHere = shownTest.value > askedAt
  async function send(): Promise<void> {
    ask(performance.now())
    setProblem('')
    await act('/v1/notices/test', {}).catch((error: Error) => setProblem(error.message))
  }
  return (
    <p>
      <button type="button" disabled={!canAct.value} onClick={() => void send()}>
        Send a test
      </button>{' '}
      <span role="status">
        {problem ||
          (askedAt === -Infinity
            ? ''
            : isHere
              ? 'It arrived, and this browser was asked to show it.'
              : 'Sent…')}
      </span>
    </p>
  )
}

/** notify.yaml may change while this is looked at. ms */
const rulesMs = 5000

/** Whether the host's notify.yaml sends any notice to pages. */
function Rules() {
  const { loaded } = useLoaded(
    'rules',
    signal => read<{ pageNotices?: boolean }>('/v1/status', signal),
    rulesMs,
  )
  if (loaded && !loaded.pageNotices)
    return (
      <p class="problem">
        Notifications are on in this browser, but none will come: no rule of notify.yaml sends to a
        destination with <code>page: true</code>. <code>lull notify init</code> writes a notify.yaml to begin
        with.
      </p>
    )
  return (
    <p>
      Notifications are on: a destination with <code>page: true</code> in notify.yaml reaches this browser
      while the page is open in the background.
    </p>
  )
}

function Notifying() {
  switch (mayNotify.value) {
    case 'granted':
      return (
        <>
          <Rules />
          <TestNotice />
        </>
      )
    case 'default':
      return (
        <p>
          <button type="button" onClick={() => void askToNotify()}>
            Allow notifications in this browser
          </button>
        </p>
      )
    default:
      return <p class="quiet">This browser does not allow notifications for this page.</p>
  }
}
