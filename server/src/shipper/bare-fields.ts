import type { RequestRecord } from '#gateway/request-log/request-record.ts';

/** Empty values for all fields whose content is controlled by callers or providers. */
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
