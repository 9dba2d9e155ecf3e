/** lull's own eyes on a tree: two scans, and what the closure concludes from them. */
import { diagnose } from '../../src/process/closure/diagnose.ts'
import type { Diagnosis } from '../../src/process/diagnosis.ts'
import type { Snapshot, SnapshotPair } from '../../src/process/snapshot.ts'
import { systemReader } from '../../src/process/system-reader.ts'

export type Look = {
  /** Scans the tree. */
  take(root: number): void
  /** From the first and the last scan; nothing where the tree was gone at either. */
  conclude(): { readonly diagnosis?: Diagnosis; readonly cut?: SnapshotPair }
}

/** @param drains whether the one who looks reads what the tree prints */
export function newLook(drains: boolean): Look {
  const reader = systemReader({ adopts: { isOwn: () => false } })
  const scans: Snapshot[] = []
  return {
    take: root => {
      const scan = reader.snapshot(root, scans.length === 0 ? 'calls' : 'suspects')
      if (scan) scans.push(scan)
    },
    conclude: () => {
      const [before, after] = scans
      if (!before || !after) return {}
      const cut = { before, after }
      return { diagnosis: diagnose(cut, { drains }), cut }
    },
  }
}
