import { z } from 'zod';
import { instant, requestId } from '../ids.ts';
import { logStatuses } from '../log-query/log-query.ts';
import { usd } from '../money.ts';
import { defineRoutes } from '../route.ts';
import { deviationReceipt } from './governance.ts';
import { usageSources } from './logs.ts';

/** Visible to the user who sent the request. */
export const ownRequest = z.object({
  id: requestId,
  created_at: instant,
  task_id: z.number().int().nullable(),
  model: z.string().nullable(),
  status: z.enum(logStatuses),
  http_status: z.number().int(),
  error_code: z.string().nullable(),
  error_message: z.string().nullable(),
  usage: z.object({
    prompt_tokens: z.number().int(),
    completion_tokens: z.number().int(),
    total_tokens: z.number().int(),
    source: z.enum(usageSources),
  }),
  /** In dollars; `null` if no price is known. */
  cost: usd.nullable(),
  intent: z.string().nullable(),
  confidence: z.number().nullable(),
  /** `null` if the request did not change the score. The receipts add up to `change`. */
  deviation: z
    .object({
      before: z.number(),
      after: z.number(),
      change: z.number(),
      receipts: z.array(deviationReceipt),
    })
    .nullable(),
});

export type OwnRequest = z.infer<typeof ownRequest>;

export const requestsRoutes = defineRoutes({
  getRequest: {
    method: 'GET',
    path: '/requests/{id}',
    surface: 'public',
    permission: 'requests.read',
    summary:
      "Get the cost and the score of one of the caller's own requests, available about a second after it ended",
    request: { params: z.object({ id: requestId }) },
    response: ownRequest,
  },
});
