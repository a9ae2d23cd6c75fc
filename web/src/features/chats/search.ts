import { z } from 'zod';

/** Search parameters of the chat. `new` starts a chat and is then removed. */
export const chatSearch = z.object({
  task: z.coerce.number().int().positive().optional().catch(undefined),
  new: z.coerce.boolean().optional().catch(undefined),
  /** Id of the open chat. */
  open: z.uuid().optional().catch(undefined),
});

export type ChatSearch = z.infer<typeof chatSearch>;
