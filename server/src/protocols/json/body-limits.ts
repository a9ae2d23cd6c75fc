import type { JsonLimits } from './json-scan.ts';

/**
 * What a request for a completion may hold: twice of what a conversation of a million tokens does that is made of
 * nothing but small tool calls. What is large in honest bodies is texts and pictures, which no limit here counts.
 */
export const completionLimits: JsonLimits = {
  depth: 200,
  fields: 1_000,
  containers: 30_000,
  members: 75_000,
  values: 100_000,
  numberBytes: 100,
};

/** OpenAI takes 300,000 tokens in one request, and each may be a number. */
export const embeddingsLimits: JsonLimits = {
  ...completionLimits,
  containers: 5_000,
  members: 5_000,
  values: 320_000,
};

/** As many as OpenAI takes. */
export const embeddingInputsMax = 2_048;

/** What the arguments of calls may hold, which are texts inside a body until they are translated. */
export const callLimits: JsonLimits = { ...completionLimits, fields: completionLimits.members };
