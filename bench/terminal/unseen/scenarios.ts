/**
 * Situations of programs that lull never met, and whose author did not see lull's rules. What is true in each was
 * written down before any verdict was seen.
 */
import type { Scenario } from '../scenario.ts'
import { consoles } from './consoles.ts'
import { ended } from './gone.ts'
import { homemade, sent } from './homemade.ts'
import { asked } from './kits.ts'
import { languages } from './languages.ts'
import { lisps } from './lisps.ts'
import { moreLanguages } from './more-languages.ts'
import { relayed } from './relays.ts'
import { situationsOf } from './repl.ts'
import { shells } from './shells.ts'
import { tempting } from './tempting.ts'

export const unseen: readonly Scenario[] = [
  ...[...shells, ...languages, ...lisps, ...moreLanguages, ...consoles, ...homemade].flatMap(situationsOf),
  ...sent,
  ...tempting,
  ...asked,
  ...relayed,
  ...ended,
]
