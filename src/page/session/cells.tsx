/** What a terminal shows, drawn from cells: no escape code of an agent is obeyed by the browser. */
import type { DrawnRun, DrawnScreen } from '../types.ts'
import { visibly } from '../words.ts'
import { colourOf } from './palette.ts'

type CellsProps = {
  readonly cells: readonly (readonly DrawnRun[])[]
  readonly cursor?: DrawnScreen['cursor']
}

export const Cells = ({ cells, cursor }: CellsProps) => (
  <pre
    class="screen"
    role="img"
    aria-label={cells.map(runs => runs.map(({ text }) => visibly(text)).join('')).join('\n')}
  >
    {cells.map((runs, row) => (
      <div key={row} class={cursor?.row === row ? 'cursor' : undefined}>
        {runs.map((run, at) => (
          <span key={at} class={drawnAs(run)} style={colourOf(run)}>
            {visibly(run.text)}
          </span>
        ))}
        {'\n'}
      </div>
    ))}
  </pre>
)

const drawnAs = ({ bold, dim, underlined, italic, invisible, struck }: DrawnRun): string | undefined =>
  Object.entries({ bold, dim, underlined, italic, invisible, struck })
    .flatMap(([name, is]) => (is ? [name] : []))
    .join(' ') || undefined
