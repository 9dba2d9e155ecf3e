/** For commands, which open what a person named before anything runs, and find what they were started with. */
export { openOutput } from '../os/file/open-output.ts'
export { inheritedFiles } from '../os/spawn/inherited-files.ts'
