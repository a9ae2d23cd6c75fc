import { z } from 'zod';

/** What the address of the chat may say; `new` begins a chat, and goes once it has. */
export const chatSearch = z.object({
  task: z.coerce.number().int().positive().optional().catch(undefined),
  new: z.coerce.boolean().optional().catch(undefined),
  /** The chat that is shown. */
  open: z.uuid().optional().catch(undefined),
});

export type ChatSearch = z.infer<typeof chatSearch>;
