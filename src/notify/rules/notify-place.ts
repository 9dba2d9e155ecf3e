/** Where it is written who is told of what. */
import path from 'node:path'
import { configFolderOf, type Env } from '../../os/file/places.ts'

export const notifyFile = (env: Env): string => path.join(configFolderOf(env), 'notify.yaml')
