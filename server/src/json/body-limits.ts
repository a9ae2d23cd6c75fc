import type { JsonLimits } from './json-scan.ts';

/**
 * Limits for completion requests: twice the counts of a million-token conversation that consists only of small tool
 * calls. Real bodies are large because of texts and images, which these limits do not count.
 */
export const completionLimits: JsonLimits = {
  depth: 200,
  fields: 1_000,
  containers: 30_000,
  members: 75_000,
  values: 100_000,
  numberBytes: 100,
};

/** OpenAI accepts 300,000 tokens in one request, and a token may be a number in a list. */
export const embeddingsLimits: JsonLimits = {
  ...completionLimits,
  containers: 5_000,
  members: 5_000,
  values: 320_000,
};

/** Maximum number of inputs per request at OpenAI. */
export const embeddingInputsMax = 2_048;

/** Limits for tool call arguments, which are JSON strings in the request body. */
export const callLimits: JsonLimits = { ...completionLimits, fields: completionLimits.members };
