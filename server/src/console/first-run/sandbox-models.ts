/** What the built-in sandbox offers: the first answers as a model should, most others fail in one way each. */
export const sandboxModels = [
  'sandbox-normal',
  'sandbox-slow',
  'sandbox-echo',
  'sandbox-inspect',
  'sandbox-tool',
  'sandbox-reasoning',
  'sandbox-stall',
  'sandbox-reset',
  'sandbox-rate-limited',
  'sandbox-error-500',
  'sandbox-overloaded',
  'sandbox-garbage',
  'sandbox-huge',
  'sandbox-refuse-key',
  'sandbox-no-usage',
  'sandbox-truncated',
];
