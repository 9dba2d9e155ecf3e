/** The hooks and the status of docs/seeds.md#003 on the wire. A field that is not listed is dropped. */
import { z } from 'zod'

const text = z.string()

/** The agent's reader checks each again, and cuts long texts. What is optional in one version is null in another. */
const payload = {
  hook_event_name: text.max(100).nullish(),
  session_id: text.max(200).nullish(),
  transcript_path: text.max(4096).nullish().describe('followed where the agent itself keeps transcripts'),
  cwd: text.max(4096).nullish(),
  prompt_id: text.nullish(),
  agent_id: text.nullish(),
  agent_type: text.nullish(),
  stop_hook_active: z.boolean().nullish(),
  notification_type: text.nullish(),
  message: text.nullish(),
  last_assistant_message: text.nullish(),
  trigger: text.nullish(),
  tool_name: text.nullish(),
  tool_use_id: text.nullish(),
  tool_input: z.object({ command: text.nullish(), file_path: text.nullish(), url: text.nullish() }).nullish(),
  background_tasks: z
    .array(
      z.object({
        id: text,
        status: text.nullish(),
        type: text.nullish(),
        command: text.nullish(),
        description: text.nullish(),
        name: text.nullish(),
      }),
    )
    .nullish(),
  session_crons: z.array(z.object({ schedule: text.nullish(), recurring: z.boolean().nullish() })).nullish(),
}

export const hookEventShape = z
  .object({
    event: text.max(100).optional().describe('stop, idle_prompt, permission_prompt, elicitation_dialog, …'),
    sessionId: text
      .max(300)
      .optional()
      .describe('the agent’s own id of its session, or an id or name of lull’s'),
    data: z.object(payload).optional().describe('the payload, where event names the hook'),
    ...payload,
  })
  .describe('A hook: the agent’s own payload, or {event, sessionId, data}')

export const hookAnswerShape = z.strictObject({
  session: text.describe('the session that the hook was filed for'),
  event: text,
  transcript: text.optional().describe('followed from now on'),
  note: text.optional().describe('what was ignored, and why'),
})

const instant = z.number().nullable().describe('ms since the epoch; null where there was none')

export const detectionShape = z
  .strictObject({
    stopHookReceived: z.boolean().describe('a hook ended the turn'),
    stopHookTime: instant,
    idlePromptReceived: z.boolean().describe('the notice of a minute of idleness was the last end'),
    idlePromptTime: instant,
    transcriptComplete: z.boolean(),
    blocked: z.boolean().describe('it waits for a person'),
    working: z.boolean(),
    confidence: z
      .number()
      .describe('of idleness, 0 to 100, by the document’s weights: 100 where a hook ended it'),
    verdictConfidence: z.number().describe('of the verdict, percent: measured'),
    statusText: text,
  })
  .describe('DetectionStatus')
