/** What the API answers, by the schemas that its OpenAPI document is made of. */
import type { z } from 'zod'
import type {
  dialogShape,
  historyShape,
  loopsShape,
  processesShape,
  respawnsShape,
  screenShape,
  sinceShape,
  tokensShape,
} from '../shapes/api-shapes.ts'
import type { Film, FilmPiece, RecordingRow, recordingsShape } from '../shapes/film-shapes.ts'
import type { Notice } from '../shapes/notice-shape.ts'
import type { explainedShape, thinShape } from '../shapes/session-shape.ts'

export type { Film, FilmPiece, Notice, RecordingRow }
export type ListedRecordings = z.infer<typeof recordingsShape>
export type ThinRow = z.infer<typeof thinShape>
export type OpenDialog = z.infer<typeof dialogShape>
export type AskedOption = OpenDialog['options'][number]
export type Explained = z.infer<typeof explainedShape> & {
  /** Without ages. */
  readonly reason: string
  readonly dialog?: OpenDialog
  readonly dialogProblem?: string
}
export type DrawnScreen = z.infer<typeof screenShape>
export type DrawnRun = NonNullable<DrawnScreen['cells']>[number][number]
export type PastEntry = z.infer<typeof historyShape>['entries'][number]
export type Processes = z.infer<typeof processesShape>
export type Device = z.infer<typeof tokensShape>['tokens'][number]
export type Away = z.infer<typeof sinceShape>['entries'][number]
export type Respawn = z.infer<typeof respawnsShape>['respawns'][number]
export type Loop = z.infer<typeof loopsShape>['loops'][number]
