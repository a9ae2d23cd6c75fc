import { z } from 'zod';

/** `new` starts a chat and is then removed from the URL. */
export const chatSearch = z.object({
  task: z.coerce.number().int().positive().optional().catch(undefined),
  new: z.coerce.boolean().optional().catch(undefined),
  open: z.uuid().optional().catch(undefined),
});

export type ChatSearch = z.infer<typeof chatSearch>;
