/** `lull skill show`: the text, for whoever puts it somewhere himself. */
import { skillText } from '../../../mcp/skill/install-skill.ts'
import { lines, print } from '../../ui/print.ts'

export function skillShowCommand(): void {
  print(lines(...skillText.trimEnd().split('\n')))
}
