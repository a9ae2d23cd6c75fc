import { z } from 'zod';
import { instant, requestId } from '../ids.ts';
import { pageQuery } from '../pagination.ts';
import { defineRoutes } from '../route.ts';

/** That somebody else was shown prompts or answers of the caller. */
export const promptRead = z.object({
  id: z.number().int(),
  read_at: instant,
  /** As it was at the time; operators of the platform are not named. */
  reader_name: z.string().nullable(),
  /** The name of the operation that was called, such as `getLog` or `exportLogs`. */
  action: z.string().nullable(),
  /** Whether the prompts stood in a list or file; else one request was opened. */
  is_list: z.boolean(),
  /** The caller's own requests and comparisons that were shown; of a list as many as its entry names, which is up to fifty. */
  request_ids: z.array(requestId),
});

export type PromptRead = z.infer<typeof promptRead>;

export const promptReadsRoutes = defineRoutes({
  listPromptReads: {
    method: 'GET',
    path: '/user/prompt-reads',
    surface: 'management',
    permission: 'account.read',
    summary:
      "Who else has read the caller's own prompts, when and which, newest first; also for who is blocked",
    request: { query: z.strictObject(pageQuery(50)) },
    response: z.array(promptRead),
  },
});
