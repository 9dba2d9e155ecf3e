/** The page: who needs a person, and what to do about it. The address after `#` names the view. */
import { effect, signal } from '@preact/signals'
import { Component, type ComponentChildren, render } from 'preact'
import {
  behindMs,
  followHost,
  ids,
  isAway,
  link,
  linkProblem,
  otherVersion,
  readOnlyBy,
  sessions,
  unpaired,
} from './host/link.ts'
import { drawIcon } from './icon.ts'
import { Help, isHelpShown, keyPressed } from './keyboard.tsx'
import { later } from './later.tsx'
import { markPresence } from './list/away.tsx'
import { Now } from './list/now.tsx'
import { followNotices } from './notices.ts'
import { SessionView } from './session/session.tsx'

const at = signal(location.hash)
addEventListener('hashchange', () => {
  at.value = location.hash
})

const TimeView = later(async () => (await import('./views/time.tsx')).TimeView)
const ReplayView = later(async () => (await import('./replay/replay.tsx')).ReplayView)
const RunsView = later(async () => (await import('./views/runs.tsx')).RunsView)
const DevicesView = later(async () => (await import('./views/devices.tsx')).DevicesView)

function View() {
  const [, view = '', id = ''] = at.value.split('/')
  switch (view) {
    case 's':
      return <SessionView key={id} id={decoded(id)} />
    case 'time':
      return <TimeView />
    case 'replay':
      return <ReplayView />
    case 'runs':
      return <RunsView />
    case 'devices':
      return <DevicesView />
    default:
      return <Now />
  }
}

/** Whoever leads to the page may have written anything. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A view that fails must not stand there as it was. */
class Guard extends Component<{ readonly children: ComponentChildren }, { readonly problem?: string }> {
  static override getDerivedStateFromError(error: Error) {
    return { problem: error.message }
  }
  override render() {
    const { problem } = this.state
    return problem === undefined ? (
      this.props.children
    ) : (
      <p class="problem" role="alert">
        This view failed: {problem}. Reload the page.
      </p>
    )
  }
}

const views = [
  ['', 'Now'],
  ['time', 'Time'],
  ['replay', 'Replay'],
  ['runs', 'Runs'],
  ['devices', 'Devices'],
] as const

function Bar() {
  const [, view = ''] = at.value.split('/')
  return (
    <header class="bar">
      <nav aria-label="Views">
        {views.map(([name, title]) => (
          <a key={name} href={`#/${name}`} aria-current={view === name ? 'page' : undefined}>
            {title}
          </a>
        ))}
      </nav>
      <LinkState />
      <button
        type="button"
        class="help-key"
        aria-label="Keys and gestures"
        onClick={() => {
          isHelpShown.value = !isHelpShown.value
        }}
      >
        ?
      </button>
    </header>
  )
}

const linkWords = {
  connecting: 'connecting…',
  live: 'live',
  stale: 'no connection: this may be old',
  unpaired: 'no token',
} as const

function LinkState() {
  const problem = linkProblem.value
  const behind = behindMs.value
  return (
    <p class={`link ${link.value}`} role="status">
      {link.value === 'stale' && behind !== undefined
        ? `slow line, ${Math.round(behind / 1000)} s behind: this may be old`
        : linkWords[link.value]}
      {problem === undefined ? '' : ` (${problem})`}
    </p>
  )
}

function Page() {
  if (link.value === 'unpaired') return <Unpaired />
  return (
    <>
      <Bar />
      {otherVersion.value === undefined ? null : (
        <p class="banner" role="alert">
          The host runs lull {otherVersion.value}. This page is from {import.meta.env.VERSION} and reloads.
        </p>
      )}
      <ReadOnly />
      {isAway.value ? (
        <p class="banner" role="alert">
          The host does not answer. This page tries again by itself. Check that its machine is on and reached
          from here; there, <code>lull serve status</code> shows whether it serves this page.
        </p>
      ) : null}
      <main class={link.value === 'live' ? undefined : 'old'}>
        <Guard key={at.value}>
          <View />
        </Guard>
      </main>
      <Help />
    </>
  )
}

function ReadOnly() {
  switch (readOnlyBy.value) {
    case 'recordings':
      return <p class="banner quiet">Recorded sessions: nothing here can be answered.</p>
    case 'host':
      return (
        <p class="banner">
          <code>lull serve --read-only</code> serves this page: no browser can answer from it.
        </p>
      )
    case 'token':
      return (
        <p class="banner">
          This browser may only read. To answer from it:{' '}
          <code>lull serve token add NAME --qr --scope act</code>
        </p>
      )
    default:
      return null
  }
}

function Unpaired() {
  const { command, wasRevoked } = unpaired.value ?? {}
  return (
    <main class="notice">
      <h1>{wasRevoked ? 'The token of this browser was revoked' : 'This browser has no token'}</h1>
      <p>Run this on the machine where lull runs:</p>
      <pre>{command}</pre>
      <p>
        Then open the printed link in this browser.{' '}
        {command?.includes('--scope act') ? (
          <>
            Without <code>--scope act</code> it may only read.
          </>
        ) : null}
      </p>
    </main>
  )
}

/** How many need a person, in the title and in the icon. */
effect(() => {
  const count = ids.value.filter(id => sessions.get(id)?.row.value.needsMe).length
  document.title = count === 0 ? 'lull' : `${count} need${count === 1 ? 's' : ''} you · lull`
  drawIcon(count)
})

addEventListener('keydown', keyPressed)
markPresence()
followNotices()
followHost()
render(<Page />, document.getElementById('page') as HTMLElement)
