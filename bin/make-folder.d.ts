export function makeFolder(folder: string, mode?: number): void
