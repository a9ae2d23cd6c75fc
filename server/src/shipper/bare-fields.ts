import type { RequestRecord } from '#gateway/request-log/request-record.ts';

/** Empties all fields whose content callers or providers control. */
export const bareFields = {
  clientRequestId: null,
  taskId: null,
  labels: null,
  modelRequested: null,
  model: null,
  errorMessage: null,
  usage: null,
  usageSource: 'none',
  prompt: null,
  response: null,
  requestBody: null,
} satisfies Partial<RequestRecord>;
