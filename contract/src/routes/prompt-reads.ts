import { z } from 'zod';
import { instant, requestId } from '../ids.ts';
import { pageBefore, pageQuery } from '../pagination.ts';
import { defineRoutes } from '../route.ts';

/** Recorded when another user reads the caller's prompts or responses. */
export const promptRead = z.object({
  id: z.number().int(),
  read_at: instant,
  /** Name at the time of the read. Platform operators appear as `Platform operator`. */
  reader_name: z.string().nullable(),
  /** Operation such as `getLog` or `exportLogs`. */
  action: z.string().nullable(),
  is_list: z.boolean(),
  /** For a list, at most the 50 requests that the audit log entry names. */
  request_ids: z.array(requestId),
});

export type PromptRead = z.infer<typeof promptRead>;

export const promptReadsRoutes = defineRoutes({
  listPromptReads: {
    method: 'GET',
    path: '/user/prompt-reads',
    surface: 'management',
    permission: 'account.read',
    summary: "List who has read the caller's own prompts, newest first; also available to blocked users",
    request: { query: z.strictObject({ ...pageQuery(50), before: pageBefore }) },
    response: z.array(promptRead),
  },
});
