/** Where a person's own rules over the screens of an agent stand. */
import path from 'node:path'
import { configFolderOf, type Env } from '../../os/file/places.ts'

export const rulesFolderOf = (env: Env): string => path.join(configFolderOf(env), 'agents')

export const rulesFileOf = (folder: string, agent: string): string => path.join(folder, agent, 'screen.yaml')
