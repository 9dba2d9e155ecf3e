/** Why a session has its state: the evidence, and what would change it. */
import { hostNow, seconds } from '../host/link.ts'
import type { Explained } from '../types.ts'
import { shortAge, visibly } from '../words.ts'

export function Why({
  whole: { evidence, wouldChange, confidence, idleConfidence },
}: {
  readonly whole: Explained
}) {
  seconds.value
  return (
    <>
      <p>
        Confidence {Math.round(confidence * 100)} %, idle confidence {Math.round(idleConfidence)} %.
      </p>
      <div class="wide">
        <table>
          <thead>
            <tr>
              <th scope="col">Source</th>
              <th scope="col">What</th>
              <th scope="col">State</th>
              <th scope="col">Tier</th>
              <th scope="col">Age</th>
              <th scope="col">Used</th>
            </tr>
          </thead>
          <tbody>
            {evidence.map(({ source, what, state, tier, at, used, note }) => (
              <tr key={`${source} ${what} ${at}`}>
                <td>{source}</td>
                <td>{visibly(what)}</td>
                <td>{state}</td>
                <td>{tier ?? 'news'}</td>
                <td>{shortAge(hostNow() - Date.parse(at))}</td>
                <td>{used ? 'yes' : (note ?? 'no')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {wouldChange.length === 0 ? null : (
        <>
          <h3>What would change it</h3>
          <ul>
            {wouldChange.map(words => (
              <li key={words}>{visibly(words)}</li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}
