import { randomUUIDv7 } from 'node:crypto';
import type { AskGate } from '#http/ask-gate.ts';

/**
 * Whether a model is known to accept images. True for a model that the user may not use: the gateway rejects it with
 * the reason.
 */
export async function modelTakesImages(askGate: AskGate, model: string): Promise<boolean> {
  const path = `/api/v1/models/${encodeURIComponent(model)}`;
  const signal = AbortSignal.timeout(5_000);
  const response = await askGate({ path, clientRequestId: randomUUIDv7(), signal });
  const found: { input_modalities?: readonly string[] } = JSON.parse(
    Buffer.concat(await response.toArray()).toString(),
  );
  return response.statusCode !== 200 || found.input_modalities?.includes('image') === true;
}
